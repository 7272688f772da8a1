// A game that was played, judged move by move. A mistake can be tried again before the better move is told.

import { computed, effect, signal, untracked } from "@preact/signals";
import { Button, Source } from "../controls";
import { task } from "../engine";
import { Search } from "../search";
import { board, game, line, movesTo, type Place, place, root, show, toEnd } from "../state";
import type { Judged, Reviewed } from "../types";
import { signed } from "../values";

const reviewer = new Search<Reviewed>();
const told = signal<Set<number>>(new Set());

effect(() => {
  game.value;
  untracked(() => reviewer.close());
});

const reviewed = computed(() => (reviewer.told.value?.moves ? reviewer.told.value : null));

async function start() {
  await toEnd();
  told.value = new Set();
  const { search: _, ...question } = task("review");
  void reviewer.ask({ ...question, time: "15s" });
}

/** The place after so many moves of the game that was reviewed. */
function placeAfter(count: number): Place {
  let at = root.value;
  for (const move of reviewer.task.value?.moves.slice(0, count) ?? []) {
    const next = at.children.find((child) => child.move === move);
    if (!next) break;
    at = next;
  }
  return at;
}

export function Review() {
  const works = reviewer.works.value;
  const parts = reviewer.told.value;
  const judged = reviewed.value;
  const length = line.value.moves.length;
  return (
    <section class="panel" aria-label="Review">
      <div class="row">
        <Button icon={works ? "stop" : "play"} class="primary" disabled={!works && length === 0} press={() => (works ? reviewer.stop() : start())}>
          {works ? "Stop" : "Review this game"}
        </Button>
        {works && parts?.parts !== undefined && (
          <progress max={parts.of} value={parts.parts} aria-label="Positions that were judged" />
        )}
      </div>
      {!judged && !works && (
        <p class="verdict">
          {length ? "Every move is compared with what the position was worth, by proofs where they are found." : "Play a game first, or load one."}
        </p>
      )}
      {judged && <Summary judged={judged} />}
      {judged && <Graph moves={judged.moves} />}
      {judged && <Mistakes moves={judged.moves.filter((move) => move.mistake)} />}
    </section>
  );
}

function Summary({ judged }: { judged: Reviewed }) {
  const sides = board.value?.sides ?? ["first", "second"];
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Player</th>
          <th scope="col" class="number">Moves</th>
          <th scope="col" class="number">Mistakes</th>
          <th scope="col" class="number">Turning points</th>
        </tr>
      </thead>
      <tbody>
        {[judged.first, judged.second].map((played, i) => (
          <tr>
            <th scope="row">{sides[i]}</th>
            <td class="number">{played.moves}</td>
            <td class="number">{played.mistakes}</td>
            <td class="number">{played.turning_points}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const [WIDTH, HEIGHT] = [320, 96];

/** The worth of the game after each move, for the player who began: proven points are solid. */
function Graph({ moves }: { moves: Judged[] }) {
  const own = (move: Judged, points: number) => (move.to_move === "first" ? points : -points);
  const values = moves.map((move) => (move.after.points === null ? null : own(move, move.after.points)));
  const most = Math.max(1, ...values.map((value) => Math.abs(value ?? 0)));
  const x = (i: number) => 16 + (i + 0.5) * ((WIDTH - 24) / moves.length);
  const y = (value: number) => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 10);
  const now = movesTo(place.value).length;
  return (
    <svg class="review-graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={`Worth of the game for ${board.value?.sides[0]}`}>
      <path class="grid" d={`M12 ${y(0)}H${WIDTH - 6}`} />
      {now > 0 && <path class="now" d={`M${x(now - 1)} 4V${HEIGHT - 4}`} />}
      <path class="line" d={values.map((value, i) => (value === null ? "" : `${i && values[i - 1] !== null ? "L" : "M"}${x(i)} ${y(value)}`)).join("")} />
      {moves.map((move, i) =>
        values[i] === null ? null : (
          <circle
            class={`point ${move.after.proven ? "proven" : ""} ${move.mistake ? "mistake" : ""}`}
            cx={x(i)}
            cy={y(values[i]!)}
            r={move.mistake ? 4.6 : 3}
            role="button"
            tabIndex={0}
            aria-label={`move ${move.ply}, ${move.move}${move.mistake ? ", a mistake" : ""}`}
            onClick={() => void show(placeAfter(move.ply))}
            onKeyDown={(event) => event.key === "Enter" && void show(placeAfter(move.ply))}
          />
        ),
      )}
    </svg>
  );
}

function Mistakes({ moves }: { moves: Judged[] }) {
  if (!moves.length) return <p class="verdict">No mistake was found.</p>;
  return (
    <ol class="mistakes" aria-label="Mistakes">
      {moves.map((move) => {
        const isTold = told.value.has(move.ply);
        return (
          <li key={move.ply}>
            <button type="button" class="move" onClick={() => void show(placeAfter(move.ply))}>
              {move.ply}. {move.move}
            </button>
            <span class="cost">
              {move.loss === null ? "" : signed(-move.loss, Number.isInteger(move.loss) ? 0 : 1)}{" "}
              <Source of={move.judged_by === "proof" ? "proof" : "guess"} />
            </span>
            <span class="row tight">
              <button type="button" class="link" onClick={() => void show(placeAfter(move.ply - 1))}>
                Try again
              </button>
              {move.better &&
                (isTold ? (
                  <span>
                    better: <strong>{move.better}</strong>
                  </span>
                ) : (
                  <button type="button" class="link" onClick={() => (told.value = new Set(told.value).add(move.ply))}>
                    Tell me
                  </button>
                ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
