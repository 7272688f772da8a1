// The game: who plays, how strong the engine is, the moves with their branches, files.

import { computed, signal, useSignal } from "@preact/signals";
import { Button, save, Select } from "../controls";
import { engineMoves, over, paused } from "../engine";
import {
  begin,
  board,
  engine,
  game,
  grown,
  LEVELS,
  level,
  line,
  type Place,
  place,
  type Plays,
  plays,
  resigned,
  root,
  say,
  searches,
  seed,
  show,
  start,
  transport,
} from "../state";
import type { Side } from "../types";

const SIDES: Side[] = ["first", "second"];

export function Play() {
  const shown = board.value;
  const names = shown?.sides ?? ["first", "second"];
  return (
    <section class="panel" aria-label="Game">
      <div class="sides">
        {SIDES.map((side, i) => (
          <Select
            label={names[i] ?? side}
            value={plays[side].value}
            options={[["person", "a person"], ["engine", "the engine"]]}
            choose={(value) => {
              plays[side].value = value as Plays;
              paused.value = false;
            }}
          />
        ))}
        <Select
          label="Level"
          value={level.value}
          options={Object.entries(LEVELS).map(([name, { label }]): [string, string] => [name, label])}
          choose={(value) => (level.value = value)}
        />
      </div>
      <details class="more-settings">
        <summary>Engine and seed</summary>
        <div class="sides">
          <Select
            label="Engine"
            value={engine.value}
            options={[["auto", "auto: plays best"], ...searches.value.filter(({ name }) => name !== "auto").map((kind): [string, string] => [kind.name, kind.name])]}
            choose={(value) => (engine.value = value)}
          />
          <label class="field">
            <span>Seed</span>
            <input
              type="number"
              min="0"
              value={seed.value}
              onChange={(event) => (seed.value = Math.max(0, Math.floor(Number(event.currentTarget.value) || 0)))}
            />
          </label>
        </div>
      </details>
      <Moves />
      <div class="row">
        {engineMoves.value || paused.value ? (
          <Button icon={paused.value ? "play" : "pause"} press={() => (paused.value = !paused.value)}>
            {paused.value ? "Let the engine move" : "Pause the engine"}
          </Button>
        ) : (
          <Button
            icon="flag"
            disabled={over.value || !shown?.to_move || plays[shown.to_move].value === "engine"}
            press={() => (resigned.value = shown?.to_move ?? null)}
          >
            Resign
          </Button>
        )}
      </div>
      <Files />
    </section>
  );
}

function Moves() {
  grown.value;
  const first = root.value.children[0];
  return (
    <div class="moves" aria-label="Moves" role="region" tabIndex={0}>
      {first ? <Branches from={root.value} ply={1} /> : <p class="hint">No moves yet.</p>}
    </div>
  );
}

/** A line of play from a place on; other branches stand in brackets behind the move that they replace. */
function Branches({ from, ply }: { from: Place; ply: number }) {
  const items = [];
  let at = from;
  for (let count = ply; at.children.length; count += 1) {
    const main = at.next ?? at.children[0]!;
    items.push(<Move to={main} ply={count} numbered={count % 2 === 1 || at === from} />);
    for (const other of at.children.filter((child) => child !== main)) {
      items.push(
        <span class="branch">
          (<Move to={other} ply={count} numbered />
          <Branches from={other} ply={count + 1} />)
        </span>,
      );
    }
    at = main;
  }
  return <>{items}</>;
}

function Move({ to, ply, numbered }: { to: Place; ply: number; numbered: boolean }) {
  const isHere = place.value === to;
  return (
    <span class="ply">
      {numbered && <span class="ply-number">{ply}.</span>}
      <button type="button" class={`move ${isHere ? "here" : ""}`} aria-current={isHere ? "step" : undefined} onClick={() => void show(to)}>
        {to.move}
      </button>
    </span>
  );
}

const loading = signal(false);
const isGo = computed(() => ["go", "loa", "amazons"].includes(game.value.split(":")[0] ?? ""));

function Files() {
  const get = async (kind: "text" | "sgf") => {
    try {
      save(await transport.record(line.value, kind), kind === "sgf" ? "game.sgf" : "game.txt");
    } catch (error) {
      say(error);
    }
  };
  return (
    <div class="files">
      <div class="row">
        <Button icon="save" press={() => get("text")}>Save</Button>
        {isGo.value && <Button icon="save" press={() => get("sgf")}>SGF</Button>}
        <Button icon="load" pressed={loading.value} press={() => (loading.value = !loading.value)}>Load</Button>
      </div>
      {loading.value && <Load />}
      <Text label="Position" value={board.value?.position ?? ""} />
      <Text label="Moves" value={line.value.moves.join(" ")} />
    </div>
  );
}

function Text({ label, value }: { label: string; value: string }) {
  return (
    <div class="copy">
      <label class="field">
        <span>{label}</span>
        <input type="text" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <Button icon="copy" label={`Copy the ${label.toLowerCase()}`} press={() => navigator.clipboard.writeText(value).catch(say)} />
    </div>
  );
}

function Load() {
  const text = useSignal("");
  const read = async (from: string) => {
    const typed = from.trim();
    if (!typed) return;
    try {
      // A whole game has its name; a line without one is a position or moves of this game.
      const whole = /^(\(|game:|#)/.test(typed) || typed.includes("(;");
      const line_ = { game: game.value, ...(start.value === null ? {} : { position: start.value }) };
      const found = whole
        ? await transport.read(typed)
        : await transport
            .board({ game: game.value, position: typed, moves: [] })
            .catch(() => transport.board({ ...line_, moves: typed.split(/\s+/) }));
      await begin(found.game, found.start, found.plies.map((ply) => ply.move));
      loading.value = false;
    } catch (error) {
      say(error);
    }
  };
  return (
    <form
      class="load"
      onSubmit={(event) => {
        event.preventDefault();
        void read(text.value);
      }}
    >
      <label class="field">
        <span>A saved game, an SGF file, moves, or a position of this game</span>
        <textarea rows={3} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <div class="row">
        <button type="submit" class="primary">Load</button>
        <input
          type="file"
          aria-label="A file"
          accept=".txt,.sgf"
          onChange={async (event) => {
            const file = event.currentTarget.files?.[0];
            if (file) await read(await file.text());
          }}
        />
      </div>
    </form>
  );
}
