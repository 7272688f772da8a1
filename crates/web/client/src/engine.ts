// The engine as a player: it moves where it is its turn and no move was made yet.

import { computed, effect, signal, untracked } from "@preact/signals";
import { Search } from "./search";
import { board, engine, game, isCurrent, LEVELS, level, line, place, play, plays, resigned, seed, tab } from "./state";
import type { Analyzed, Side, Task } from "./types";

export const thinker = new Search<Analyzed>();
/** Nobody moves while the person looks at something else. */
export const paused = signal(false);
/** Whether somebody else answers for the engine: the proof does, in a refutation. */
export const replaced = signal(false);

export const over = computed(() => board.value?.outcome != null || resigned.value !== null);

export const engineMoves = computed(() => {
  const side = board.value?.to_move;
  // Whoever analyses tries moves of both sides.
  const quiet = tab.value !== "play" || paused.value || replaced.value || over.value || place.value.next !== null;
  return isCurrent.value && side != null && !quiet && plays[side].value === "engine";
});

/** The question for a move in the position on the board. */
export function task(kind: Task["do"]): Task {
  const search = engine.value === "auto" ? {} : { search: engine.value };
  return { do: kind, ...line.value, ...search, seed: seed.value };
}

let thinking: unknown = null;

async function move() {
  const here = place.value;
  const shown = board.value;
  if (thinking === here || !shown) return;
  thinking = here;
  let fields: Partial<Task> = LEVELS[level.value]?.fields ?? {};
  // Searches without simulations count positions instead.
  const simulates = engine.value === "auto" || engine.value.startsWith("mcts") || engine.value.startsWith("score");
  if (fields.simulations && !simulates) fields = { nodes: fields.simulations * 50 };
  const told = await thinker.answer({ ...task("move"), ...fields });
  thinking = null;
  if (told?.move && place.value === here && engineMoves.value) await play(told.move);
}

effect(() => {
  const moves = engineMoves.value;
  untracked(() => {
    if (moves) void move();
    else if (thinker.works.value) void thinker.stop();
  });
});

// Another game needs another search.
effect(() => {
  game.value;
  untracked(() => thinker.close());
  thinking = null;
});

/** Who a side is, for a person. */
export function who(side: Side): string {
  return plays[side].value === "engine" ? "engine" : plays.first.value === plays.second.value ? "" : "you";
}
