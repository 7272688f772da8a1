// What the page knows: the game with its branches, who plays, what is shown. The address has enough of it that a
// link shows the same.

import { batch, computed, effect, signal } from "@preact/signals";
import { http } from "./transport";
import type { Board, GameInfo, Hello, Line, SearchInfo, Side } from "./types";

/** A position of the game that was played, or of a branch of it. */
export interface Place {
  move: string | null;
  parent: Place | null;
  children: Place[];
  /** Where "forward" leads. */
  next: Place | null;
}

export type Tab = "play" | "analyse" | "prove" | "tree" | "review" | "compare";
export const TABS: [Tab, string][] = [
  ["play", "Play"],
  ["analyse", "Analyse"],
  ["prove", "Prove"],
  ["tree", "Tree"],
  ["review", "Review"],
  ["compare", "Compare"],
];

/** How much the engine thinks about a move, as fields of a request. */
export const LEVELS: Record<string, { label: string; fields: { time?: string; simulations?: number } }> = {
  gentle: { label: "Gentle", fields: { simulations: 40 } },
  casual: { label: "Casual", fields: { simulations: 600 } },
  quick: { label: "Half a second", fields: { time: "500ms" } },
  strong: { label: "Two seconds", fields: { time: "2s" } },
  deep: { label: "Ten seconds", fields: { time: "10s" } },
};

export type Plays = "person" | "engine";

export const transport = http;
export const games = signal<GameInfo[]>([]);
export const searches = signal<SearchInfo[]>([]);
export const hello = signal<Hello | null>(null);

export const game = signal("connect4:7x6");
export const start = signal<string | null>(null);
const origin = (): Place => ({ move: null, parent: null, children: [], next: null });
export const root = signal<Place>(origin());
export const place = signal<Place>(root.value);
/** Counts changes of the tree of places, which is not a signal itself. */
export const grown = signal(0);
export const board = signal<Board | null>(null);
export const trouble = signal<string | null>(null);

export const tab = signal<Tab>("play");
export const plays = { first: signal<Plays>("person"), second: signal<Plays>("engine") };
export const engine = signal("auto");
export const level = signal("quick");
export const seed = signal(0);
export const resigned = signal<Side | null>(null);

export const flipped = signal(false);
export const coordinates = signal(true);
export type Theme = "auto" | "light" | "dark";
export const theme = signal<Theme>((localStorage.getItem("theme") as Theme | null) ?? "auto");
/** Moves that are shown on the board without being made: a line of play under the pointer. */
export const preview = signal<string[]>([]);

/** The moves from the start to a place. */
export function movesTo(end: Place): string[] {
  const moves: string[] = [];
  for (let at: Place | null = end; at?.move != null; at = at.parent) moves.unshift(at.move);
  return moves;
}

export const line = computed<Line>(() => lineTo(place.value));

export function lineTo(end: Place): Line {
  const position = start.value === null ? {} : { position: start.value };
  return { game: game.value, ...position, moves: movesTo(end) };
}

export const family = computed(() => game.value.split(":")[0] ?? game.value);
/** Whether what is on the board is what is meant: the server has answered. */
export const isCurrent = computed(() => {
  const shown = board.value;
  return shown !== null && shown.plies.length === line.value.moves.length && shownKey.value === keyOf(line.value);
});

const keyOf = (of: Line) => JSON.stringify([of.game, of.position ?? null, of.moves]);
const shownKey = signal("");
const known = new Map<string, Board>();

/** The board of a line of play, which may be known already. */
export async function boardOf(of: Line, stop?: AbortSignal): Promise<Board> {
  const key = keyOf(of);
  const before = known.get(key);
  if (before) return before;
  const found = await transport.board(of, stop);
  known.set(key, found);
  if (known.size > 300) known.delete(known.keys().next().value as string);
  return found;
}

let asking: AbortController | null = null;

/** Shows a place. */
export async function show(at: Place) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  batch(() => {
    place.value = at;
    preview.value = [];
  });
  const wanted = line.value;
  try {
    const found = await boardOf(wanted, mine.signal);
    if (asking !== mine) return;
    batch(() => {
      board.value = found;
      shownKey.value = keyOf(wanted);
      trouble.value = null;
    });
  } catch (error) {
    if (!mine.signal.aborted) trouble.value = (error as Error).message;
  }
}

/** Plays a move: a branch, if another one was played here before. */
export function play(move: string) {
  const here = place.value;
  const again = here.children.find((child) => child.move === move);
  const there = again ?? { move, parent: here, children: [], next: null };
  if (!again) here.children.push(there);
  here.next = there;
  grown.value += 1;
  return show(there);
}

export const back = () => place.value.parent && show(place.value.parent);
export const forward = () => place.value.next && show(place.value.next);
export const toStart = () => show(root.value);
export function toEnd() {
  let end = place.value;
  while (end.next) end = end.next;
  return show(end);
}

/** Takes back the last move of a person and what came after it. */
export function undo() {
  const people = (["first", "second"] as Side[]).filter((side) => plays[side].value === "person");
  let at = place.value;
  resigned.value = null;
  const shown = board.value;
  do {
    if (!at.parent) break;
    at = at.parent;
  } while (people.length === 1 && shown?.plies[movesTo(at).length]?.to_move !== people[0]);
  // What was taken back can be made again, but where the engine is to move it shall think anew.
  const isPersons = people.length === 2 || shown?.plies[movesTo(at).length]?.to_move === people[0];
  if (!isPersons) at.next = null;
  return show(at);
}

/** Another game, perhaps with moves. */
export function begin(name: string, from: string | null = null, moves: string[] = [], ahead: string[] = []) {
  batch(() => {
    game.value = name;
    start.value = from;
    root.value = origin();
    resigned.value = null;
    board.value = board.value?.game === name ? board.value : null;
    grown.value += 1;
  });
  let at = root.value;
  const step = (move: string) => {
    const next = { move, parent: at, children: [], next: null };
    at.children.push(next);
    at.next = next;
    at = next;
  };
  moves.forEach(step);
  const end = at;
  ahead.forEach(step);
  return show(end);
}

/** A sentence for a person about a failure. */
export const say = (error: unknown) => {
  trouble.value = error instanceof Error ? error.message : String(error);
};

function readAddress() {
  const words = new URLSearchParams(location.search);
  const list = (key: string) => (words.get(key) ?? "").split(" ").filter((word) => word !== "");
  tab.value = TABS.find(([name]) => name === words.get("tab"))?.[0] ?? "play";
  engine.value = words.get("engine") ?? "auto";
  level.value = words.get("level") !== null && words.get("level")! in LEVELS ? words.get("level")! : "quick";
  seed.value = Number(words.get("seed") ?? 0) || 0;
  const sides = (words.get("engines") ?? "second").split(",");
  plays.first.value = sides.includes("first") ? "engine" : "person";
  plays.second.value = sides.includes("second") ? "engine" : "person";
  flipped.value = words.get("flip") === "1";
  const shown = begin(words.get("game") ?? "connect4:7x6", words.get("position"), list("moves"), list("ahead"));
  const gaveUp = words.get("resigned");
  if (gaveUp === "first" || gaveUp === "second") resigned.value = gaveUp;
  recallBranches();
  return shown;
}

type Saved = [string, Saved[]];
const BRANCHES = "branches";

/** Branches do not fit into an address: the tab has them until it is closed. */
function saveBranches() {
  const saved = (at: Place): Saved => [at.move ?? "", at.children.map(saved)];
  try {
    sessionStorage.setItem(BRANCHES, JSON.stringify([game.value, start.value, saved(root.value)]));
  } catch {
    // There is no room, or none is allowed: the address still has the line of play.
  }
}

function recallBranches() {
  const graft = (at: Place, [, branches]: Saved) => {
    for (const branch of branches) {
      let child = at.children.find(({ move }) => move === branch[0]);
      if (!child) at.children.push((child = { move: branch[0], parent: at, children: [], next: null }));
      graft(child, branch);
    }
  };
  try {
    const [of, from, tree] = JSON.parse(sessionStorage.getItem(BRANCHES) ?? "null") ?? [];
    if (of === game.value && from === start.value) graft(root.value, tree);
  } catch {
    // Somebody else has written there.
  }
}

function writeAddress() {
  const words = new URLSearchParams({ game: game.value });
  if (start.value !== null) words.set("position", start.value);
  const { moves } = line.value;
  if (moves.length) words.set("moves", moves.join(" "));
  const ahead: string[] = [];
  for (let at = place.value.next; at; at = at.next) ahead.push(at.move as string);
  if (ahead.length) words.set("ahead", ahead.join(" "));
  const engines = (["first", "second"] as Side[]).filter((side) => plays[side].value === "engine").join(",");
  if (engines !== "second") words.set("engines", engines);
  if (engine.value !== "auto") words.set("engine", engine.value);
  if (level.value !== "quick") words.set("level", level.value);
  if (seed.value !== 0) words.set("seed", String(seed.value));
  if (tab.value !== "play") words.set("tab", tab.value);
  if (flipped.value) words.set("flip", "1");
  if (resigned.value) words.set("resigned", resigned.value);
  history.replaceState(null, "", `?${words}`);
}

/** Reads the address and keeps it. */
export async function open() {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem("theme", theme.value);
  });
  await readAddress();
  effect(() => {
    grown.value;
    writeAddress();
    saveBranches();
  });
  try {
    [games.value, searches.value, hello.value] = await Promise.all([
      transport.games(),
      transport.searches(),
      transport.hello(),
    ]);
  } catch (error) {
    say(error);
  }
}
