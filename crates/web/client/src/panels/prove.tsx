// Proofs: any solver on the position, its numbers while it works, the certificate, and "why does this lose?".

import { computed, effect, signal, untracked } from "@preact/signals";
import { Button, Fact, save, Select, Source } from "../controls";
import { over, task } from "../engine";
import { begin as beginRefutation, Refuting, refutation } from "../refute";
import { Search } from "../search";
import { board, game, play, say, searches, seed } from "../state";
import type { MoveValue, Solved, Tree } from "../types";
import { bytes, proven, seconds, short, verdictOf } from "../values";

export const prover = new Search<Solved>();
const solver = signal("auto");
const allMoves = signal(true);
const shortest = signal(false);
const numbers = signal<Tree | null>(null);

/** What is proven about the position on the board. */
export const proof = computed(() => {
  const told = prover.told.value;
  return told && told.position === board.value?.position ? told : null;
});

effect(() => {
  game.value;
  untracked(() => prover.close());
  numbers.value = null;
});

const ask = () => {
  numbers.value = null;
  const { search: _, ...question } = task("solve");
  const plies = shortest.value ? { shortest: true } : {};
  return prover.ask({ ...question, search: solver.value, seed: seed.value, all_moves: allMoves.value, ...plies });
};

/** Proof numbers stand in the tree; they are looked at once a second. */
setInterval(() => {
  if (!prover.works.value || document.hidden) return;
  void look().catch(() => undefined);
}, 1000);

/** A search that proves every move has a tree for the one that it is at. */
async function look() {
  const open = proof.value?.moves?.filter((move) => move.value === "unknown") ?? [];
  for (const path of [[], ...open.slice(0, 12).map((move) => [move.move])]) {
    const tree = await prover.tree(path);
    if (tree.children.length) {
      numbers.value = tree;
      return;
    }
  }
}

async function download() {
  try {
    save(await prover.certificate(), `${game.value.replace(/[^a-z0-9]+/gi, "-")}.proof`);
  } catch (error) {
    say(error);
  }
}

export function Prove() {
  const told = proof.value;
  const works = prover.works.value;
  const shown = board.value;
  const side = told?.to_move ?? shown?.to_move ?? "first";
  const name = shown?.sides[side === "first" ? 0 : 1];
  const known = told && proven(told.bounds, side, told.scale, told.plies);
  if (refutation.value) return <Refuting />;
  return (
    <section class="panel" aria-label="Proofs">
      <div class="row">
        <Button icon={works ? "stop" : "play"} class="primary" disabled={over.value} press={() => (works ? prover.stop() : ask())}>
          {works ? "Stop" : told && !told.solved ? "Go on" : "Prove"}
        </Button>
        <Select
          label="Solver"
          hidden
          value={solver.value}
          options={[["auto", "auto: the fastest known"], ...searches.value.filter(({ name }) => name !== "auto").map((kind): [string, string] => [kind.name, kind.name])]}
          choose={(value) => {
            prover.close();
            solver.value = value;
          }}
        />
      </div>
      <div class="row options">
        <label class="check">
          <input type="checkbox" checked={allMoves.value} onChange={(event) => (allMoves.value = event.currentTarget.checked)} />
          every move
        </label>
        <label class="check">
          <input type="checkbox" checked={shortest.value} onChange={(event) => (shortest.value = event.currentTarget.checked)} />
          in how many plies
        </label>
      </div>
      <p class="verdict" aria-live="polite">
        {over.value ? "The game is over." : null}
        {known ? (
          <>
            {name} to move: <strong class={verdictOf(told.bounds, side) ?? ""}>{known}</strong> <Source of="proof" />
          </>
        ) : works ? (
          "The solver works…"
        ) : told ? (
          "Not proven yet."
        ) : (
          !over.value && "Nothing is guessed here: an answer holds whatever both players do."
        )}
      </p>
      <div class={`progress ${works ? "busy" : ""} ${told?.solved ? "done" : ""}`} role="presentation">
        <i />
      </div>
      <dl class="facts">
        <Fact name="Nodes">{told ? short(told.nodes) : "–"}</Fact>
        <Fact name="per second">{told && told.elapsed_s > 0.05 ? short(told.nodes / told.elapsed_s) : "–"}</Fact>
        <Fact name="Time">{told ? seconds(told.elapsed_s) : "–"}</Fact>
        <Fact name="Memory">{told ? bytes(told.memory_bytes) : "–"}</Fact>
      </dl>
      {numbers.value && works && <Numbers tree={numbers.value} />}
      {told && (told.scale === "points" || !told.solved) && (
        <p class="pv">
          {told.search} knows: the score is {told.bounds[0] === told.bounds[1] ? told.bounds[0] : `from ${told.bounds[0]} to ${told.bounds[1]}`} for{" "}
          {shown?.sides[0]}.
        </p>
      )}
      {told?.pv.length && told.solved ? <p class="pv">Best play: {told.pv.join(" ")}</p> : null}
      {told && !works && told.value !== "unknown" && (
        <div class="row">
          <Button icon="save" press={download}>
            Certificate
          </Button>
          <span class="hint"><code>proofplay verify</code> checks it by the rules alone.</span>
        </div>
      )}
      {told?.moves && <Values told={told} moves={told.moves} />}
    </section>
  );
}

/** Numbers of a best-first proof search for the moves that it looks at. */
function Numbers({ tree }: { tree: Tree }) {
  const numbered = tree.children.filter((child) => child.proof !== undefined || child.product !== undefined);
  if (!numbered.length) return null;
  const infinite = (value: number | null | undefined) => (value === null || value === undefined ? "∞" : short(value));
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">{tree.path.length ? `After ${tree.path.join(" ")}` : "Move"}</th>
          <th scope="col" class="number">proof</th>
          <th scope="col" class="number">disproof</th>
          <th scope="col" class="number">product</th>
        </tr>
      </thead>
      <tbody>
        {numbered.slice(0, 8).map((child) => (
          <tr>
            <th scope="row">{child.move}</th>
            <td class="number">{child.proof === undefined ? "–" : infinite(child.proof)}</td>
            <td class="number">{child.disproof === undefined ? "–" : infinite(child.disproof)}</td>
            <td class="number">{child.product?.toFixed(4) ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const ORDER = { win: 0, draw: 1, unknown: 2, loss: 3 };

function Values({ told, moves }: { told: Solved; moves: MoveValue[] }) {
  const side = told.to_move!;
  const sorted = [...moves].sort((a, b) => ORDER[a.value] - ORDER[b.value]);
  return (
    <ul class="values" aria-label="What every move is worth">
      {sorted.slice(0, 40).map((move) => (
        <li key={move.move} class={move.value}>
          <button type="button" class="move" onClick={() => void play(move.move)}>
            {move.move}
          </button>
          <span class={`tag ${move.value}`}>{proven(move.bounds, side, told.scale, move.plies) ?? "open"}</span>
          {move.value === "loss" && (
            <button type="button" class="link why" onClick={() => void beginRefutation(move.move)}>
              Why does this lose?
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
