// The tree of the analysis or of the solver: most visited first, with the bounds of every node, so that it can be
// seen what they prune.

import { effect, signal, untracked } from "@preact/signals";
import { Button, Select } from "../controls";
import { Interval } from "../interval";
import { board } from "../state";
import type { Branch, Side, Tree as Shown } from "../types";
import { seenBy, short, verdictOf } from "../values";
import { analysis, analyst, toggle } from "./analyse";
import { proof, prover } from "./prove";

const of = signal<"analysis" | "proof">("analysis");
const trees = signal(new Map<string, Shown>());
const open = signal(new Set<string>([""]));
const seen = signal(false);

async function look(path: string[]) {
  const search = of.value === "analysis" ? analyst : prover;
  try {
    const tree = await search.tree(path);
    trees.value = new Map(trees.value).set(path.join(" "), tree);
  } catch {
    // The search has moved on; the next look is about the new position.
  }
}

const lookAtAll = () => {
  const known = of.value === "analysis" ? analysis.value : proof.value;
  if (known) open.value.forEach((path) => void look(path === "" ? [] : path.split(" ")));
};

// Another position has another tree.
effect(() => {
  board.value?.position;
  of.value;
  trees.value = new Map();
  open.value = new Set([""]);
});
effect(() => {
  const settled = of.value === "analysis" ? analysis.value?.final : proof.value?.final;
  if (seen.value && settled) untracked(lookAtAll);
});
setInterval(() => {
  const works = of.value === "analysis" ? analyst.works.value : prover.works.value;
  if (seen.value && works && !document.hidden) lookAtAll();
}, 900);

export function Tree() {
  const works = analyst.works.value;
  const rootTree = trees.value.get("");
  if (!seen.value) {
    queueMicrotask(() => {
      seen.value = true;
      lookAtAll();
    });
  }
  return (
    <section class="panel" aria-label="Search tree">
      <div class="row">
        <Button icon={works ? "stop" : "play"} class="primary" press={toggle}>
          {works ? "Stop" : "Analyse"}
        </Button>
        <Select
          label="Tree of"
          hidden
          value={of.value}
          options={[["analysis", "tree of the analysis"], ["proof", "tree of the proof"]]}
          choose={(value) => {
            of.value = value as "analysis" | "proof";
            lookAtAll();
          }}
        />
      </div>
      {rootTree?.children.length ? (
        <ul class={`tree ${rootTree.children.some((child) => child.move.length > 5) ? "long" : ""}`} aria-label="Moves, most visited first">
          <Level path={[]} tree={rootTree} most={rootTree.children[0]?.visits ?? 1} />
        </ul>
      ) : (
        <p class="hint">There is no tree yet: analyse the position, or prove it with a search that keeps a tree.</p>
      )}
      <p class="legend">
        <span><i class="key solid" /> proven</span>
        <span><i class="key hatched" /> open</span>
        <span><s>cut</s> cannot matter any more</span>
      </p>
    </section>
  );
}

function Level({ path, tree, most }: { path: string[]; tree: Shown; most: number }) {
  const side = tree.to_move;
  if (!side) return null;
  return (
    <>
      {tree.children.slice(0, 10).map((branch) => (
        <Node key={branch.move} branch={branch} side={side} path={[...path, branch.move]} most={most} />
      ))}
      {tree.children.length > 10 && <li class="more">and {tree.children.length - 10} other moves</li>}
    </>
  );
}

function Node({ branch, side, path, most }: { branch: Branch; side: Side; path: string[]; most: number }) {
  const key = path.join(" ");
  const isOpen = open.value.has(key);
  const below = trees.value.get(key);
  const toggleNode = () => {
    const next = new Set(open.value);
    if (isOpen) next.delete(key);
    else next.add(key);
    open.value = next;
    if (!isOpen) void look(path);
  };
  const bounds = seenBy(branch.bounds, side);
  const mean = branch.mean === null ? null : side === "first" ? branch.mean : -branch.mean;
  const range = seenBy(board.value?.range ?? [-1, 1], side);
  const verdict = verdictOf(branch.bounds, side);
  const numbers =
    branch.proof !== undefined ? `${branch.proof ?? "∞"} / ${branch.disproof ?? "∞"}` : branch.product?.toFixed(3);
  return (
    <li class={`${branch.cut ? "cut" : ""} ${side}`}>
      <button type="button" class="node" aria-expanded={isOpen} onClick={toggleNode}>
        <span class="twist" aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        <span class="move-name">{branch.move}</span>
        <Interval bounds={bounds} range={range} mean={mean} verdict={verdict} label={`bounds ${bounds[0]} to ${bounds[1]}`} />
        <span class="amount">
          <i class="gauge">
            <i class="share" style={{ width: `${(100 * branch.visits) / Math.max(1, most)}%` }} />
          </i>
          {numbers ?? short(branch.visits)}
        </span>
      </button>
      {isOpen && (
        <ul>
          {below?.children.length ? (
            <Level path={path} tree={below} most={below.children[0]?.visits ?? 1} />
          ) : (
            <li class="more">{below ? "a leaf" : "…"}</li>
          )}
        </ul>
      )}
    </li>
  );
}
