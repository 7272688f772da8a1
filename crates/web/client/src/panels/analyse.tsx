// Live analysis: what a search thinks of every move, while it thinks.

import { computed, effect, signal, untracked } from "@preact/signals";
import { Chart } from "../chart";
import { Button, Fact, Select, Source } from "../controls";
import { over, task } from "../engine";
import { Interval } from "../interval";
import { Search } from "../search";
import { board, game, hello, isCurrent, line, play, preview, searches, tab } from "../state";
import type { Analyzed, Thought } from "../types";
import { bytes, guess, proven, seconds, seenBy, short, verdictOf } from "../values";

export const analyst = new Search<Analyzed>();
export const follows = signal(false);
const search = signal("mcts");
const threads = signal(1);

/** What is on the board, if the analysis is about it. */
export const analysis = computed(() => {
  const told = analyst.told.value;
  return told && told.position === board.value?.position ? told : null;
});

const ask = () => analyst.ask({ ...task("analyze"), search: search.value, threads: threads.value });

// The analysis follows the board until it is stopped.
effect(() => {
  line.value;
  search.value;
  threads.value;
  if (follows.value && isCurrent.value && !over.value) untracked(() => void ask());
});
effect(() => {
  game.value;
  untracked(() => analyst.close());
});
effect(() => {
  // Who plays wants no help that nobody asked for.
  if (tab.value !== "analyse" && tab.value !== "tree") untracked(stop);
});

function stop() {
  follows.value = false;
  void analyst.stop();
}

export function toggle() {
  if (analyst.works.value) return stop();
  if (follows.value) void ask();
  follows.value = true;
}

const COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

export function Analyse() {
  const most = hello.value?.threads ?? 1;
  const told = analysis.value;
  const side = told?.to_move ?? board.value?.to_move ?? "first";
  const range = board.value?.range ?? [-1, 1];
  const works = analyst.works.value;
  const usable = searches.value.filter((kind) => !["minimax", "auto"].includes(kind.name));
  return (
    <section class="panel" aria-label="Analysis">
      <div class="row">
        <Button icon={works ? "stop" : "play"} class="primary" press={toggle} disabled={over.value}>
          {works ? "Stop" : told ? "Go on" : "Analyse"}
        </Button>
        <Select
          label="Search"
          hidden
          value={search.value}
          options={[["auto", "auto: plays best"], ...usable.map((kind): [string, string] => [kind.name, kind.name])]}
          choose={(value) => {
            analyst.close();
            search.value = value;
          }}
        />
        {most > 1 && (
          <div class="threads">
            <Select
              label="Threads"
              hidden
              value={String(threads.value)}
              options={COUNTS.filter((count) => count <= most).map((count): [string, string] => [String(count), count === 1 ? "1 thread" : `${count} threads`])}
              choose={(value) => {
                analyst.close();
                threads.value = Number(value);
              }}
            />
          </div>
        )}
      </div>
      <p class="verdict" aria-live="polite">
        {told ? <Sentence told={told} /> : over.value ? "The game is over." : "Start a search and watch what it learns."}
      </p>
      <Chart points={told ? analyst.history.value : []} range={range} side={side} />
      <dl class="facts">
        <Fact name="Simulations">{told ? short(told.simulations) : "–"}</Fact>
        <Fact name="per second">{told && told.elapsed_s > 0 ? short((told.simulations || told.nodes) / told.elapsed_s) : "–"}</Fact>
        <Fact name="Time">{told ? seconds(told.elapsed_s) : "–"}</Fact>
        <Fact name="Memory">{told ? bytes(told.memory_bytes) : "–"}</Fact>
      </dl>
      {told && <Table told={told} />}
      <p class="legend">
        <span><i class="key solid" /> proven</span>
        <span><i class="key hatched" /> believed</span>
        <span><i class="key tick" /> mean of simulations</span>
        <span>counts: <Source of="search" /></span>
      </p>
    </section>
  );
}

function Sentence({ told }: { told: Analyzed }) {
  const side = told.to_move;
  if (!side) return <>The game is over.</>;
  const name = board.value?.sides[side === "first" ? 0 : 1];
  const known = proven(told.bounds, side, told.scale, told.plies);
  if (known) {
    return (
      <>
        {name} to move: <strong class={verdictOf(told.bounds, side) ?? ""}>{known}</strong> <Source of="proof" />
      </>
    );
  }
  const best = told.moves[0];
  const value = best && guess(best, side, told.scale);
  return (
    <>
      {name} to move: {value ? <strong>{value.text} {value.unit}</strong> : "no estimate yet"} {value && <Source of="guess" />}
    </>
  );
}

let timer = 0;

/** Plays a line of play on the board while the pointer rests on it. */
function follow(moves: string[]) {
  clearInterval(timer);
  let shown = 1;
  preview.value = moves.slice(0, shown);
  timer = setInterval(() => {
    shown += 1;
    if (shown > Math.min(moves.length, 12)) clearInterval(timer);
    else preview.value = moves.slice(0, shown);
  }, 650);
}

function leave() {
  clearInterval(timer);
  preview.value = [];
}

function Table({ told }: { told: Analyzed }) {
  const all = told.moves;
  const shown = all.slice(0, 14);
  return (
    <div class="scroll">
      <table class="thoughts-table" onMouseLeave={leave}>
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Certain and expected</th>
            <th scope="col" class="number">Value</th>
            <th scope="col" class="number">Visits</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((move) => (
            <Row key={move.move} move={move} told={told} />
          ))}
        </tbody>
      </table>
      {all.length > shown.length && <p class="more">and {all.length - shown.length} other moves</p>}
    </div>
  );
}

function Row({ move, told }: { move: Thought; told: Analyzed }) {
  const side = told.to_move!;
  const range = seenBy(board.value?.range ?? [-1, 1], side);
  const known = proven(move.bounds, side, told.scale);
  const value = guess(move, side, told.scale);
  const text = known ?? (value ? `${value.text}${value.unit === "%" ? " %" : ""}` : "–");
  const bounds = seenBy(move.bounds, side);
  return (
    <tr class={known ? "is-proven" : ""} onMouseEnter={() => follow(move.pv)}>
      <th scope="row">
        <button
          type="button"
          class="move"
          onClick={() => {
            leave();
            void play(move.move);
          }}
          onFocus={() => follow(move.pv)}
          onBlur={leave}
          title={move.pv.join(" ")}
        >
          {move.move}
        </button>
      </th>
      <td>
        <Interval
          bounds={bounds}
          range={range}
          mean={value?.mean ?? null}
          verdict={verdictOf(move.bounds, side)}
          label={known ? `proven: ${known}` : `certain from ${bounds[0]} to ${bounds[1]}, expected ${text}`}
        />
      </td>
      <td class="number">{text}</td>
      <td class="number">{short(move.visits)}</td>
    </tr>
  );
}

