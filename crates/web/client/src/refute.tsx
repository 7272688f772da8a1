// "Why does this lose?": the losing move is made, and the page answers from the proof until the game is over. The
// loser's moves come from whoever asked, or from the proof as well.

import { effect, signal, untracked } from "@preact/signals";
import { Button, Source } from "./controls";
import { replaced, task } from "./engine";
import { Search } from "./search";
import { board, game, isCurrent, type Place, place, play, say, show } from "./state";
import type { Side, Solved } from "./types";

interface Refutation {
  /** The losing move, and where it was made. */
  move: string;
  from: Place;
  winner: Side;
  /** Whether the loser's moves are made, too. */
  plays: boolean;
}

export const refutation = signal<Refutation | null>(null);
const refuter = new Search<Solved>();
const other = (side: Side): Side => (side === "first" ? "second" : "first");

/** Shows why a move loses. */
export async function begin(move: string) {
  const side = board.value?.to_move;
  if (!side) return;
  replaced.value = true;
  refutation.value = { move, from: place.value, winner: other(side), plays: false };
  await play(move);
}

export function end() {
  const from = refutation.value?.from;
  refutation.value = null;
  replaced.value = false;
  void refuter.stop();
  if (from) void show(from);
}

effect(() => {
  game.value;
  untracked(() => refuter.close());
  refutation.value = null;
  replaced.value = false;
});

let answering: Place | null = null;

async function answer() {
  const [here, shown, now] = [place.value, board.value, refutation.value];
  if (!now || !shown?.to_move || answering === here) return;
  const isReply = shown.to_move === now.winner;
  if (!isReply && !now.plays) return;
  answering = here;
  const { search: _, ...question } = task("solve");
  const started = performance.now();
  const told = await refuter.answer(question);
  // Eyes need a moment for each move.
  const pause = Math.max(0, (now.plays ? 750 : 350) - (performance.now() - started));
  await new Promise((resolve) => setTimeout(resolve, pause));
  answering = null;
  if (!told || place.value !== here || !refutation.value) return;
  const isProven = isReply ? told.value === "win" : told.value === "loss";
  if (!isProven || !told.best_move) {
    say(new Error("This is not proven here: the solver needs more time."));
    return;
  }
  await play(told.best_move);
}

effect(() => {
  if (isCurrent.value && refutation.value && place.value.next === null && !board.value?.outcome) untracked(() => void answer());
});

export function Refuting() {
  const now = refutation.value!;
  const shown = board.value;
  const loser = shown?.sides[now.winner === "first" ? 1 : 0];
  const winner = shown?.sides[now.winner === "first" ? 0 : 1];
  const isOver = shown?.outcome != null;
  return (
    <section class="panel refuting" aria-label="Refutation">
      <h2>Why does {now.move} lose?</h2>
      <p class="verdict" aria-live="polite">
        {isOver ? (
          <>
            <strong>{winner} has won</strong> <Source of="rules" />
          </>
        ) : shown?.to_move === now.winner ? (
          <>{winner} answers from the proof… <Source of="proof" /></>
        ) : now.plays ? (
          <>{loser} holds out…</>
        ) : (
          <>You defend as {loser}. Every move loses: try one. <Source of="proof" /></>
        )}
      </p>
      <div class="row">
        {!isOver && (
          <Button icon={now.plays ? "pause" : "play"} class="primary" press={() => (refutation.value = { ...now, plays: !now.plays })}>
            {now.plays ? "Pause" : "Play it out"}
          </Button>
        )}
        <Button icon="undo" press={end}>
          Back to the position
        </Button>
      </div>
      <ol class="line">
        {shown?.plies.slice(depth(now.from)).map((ply) => (
          <li class={ply.to_move === now.winner ? "winner" : "loser"}>{ply.move}</li>
        ))}
      </ol>
    </section>
  );
}

function depth(of: Place): number {
  let count = 0;
  for (let at: Place | null = of; at?.move != null; at = at.parent) count += 1;
  return count;
}
