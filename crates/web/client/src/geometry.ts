// Where cells are drawn. One unit is the width of a cell; y grows downwards.

import type { Board, Picture } from "./types";

export interface Spot {
  x: number;
  y: number;
}

export interface Layout {
  spots: Spot[];
  left: number;
  top: number;
  width: number;
  height: number;
  columns: { at: Spot; label: string }[];
  rows: { at: Spot; label: string }[];
}

/** The distance between rows of hexagons. */
const ROW = Math.sqrt(3) / 2;

/** Where everything is; `margin` is the frame round the cells. */
export function layout(picture: Picture, flip: boolean, labels: boolean, margin: number): Layout {
  const row = picture.hexagonal ? ROW : 1;
  const sign = flip ? -1 : 1;
  const place = (x: number, y: number): Spot => ({ x: (sign * x) / 2, y: -sign * y * row });
  const spots = picture.cells.map((cell) => place(cell.x, cell.y));
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const edge = 0.5 + margin;
  let left = Math.min(...xs) - edge;
  let right = Math.max(...xs) + edge;
  let top = Math.min(...ys) - edge;
  let bottom = Math.max(...ys) + edge;
  const columns = picture.columns.map(([x, label]) => ({ at: { x: place(x, 0).x, y: bottom + 0.24 }, label }));
  const rows = picture.rows.map(([y, label]) => {
    // Beside the first cell of the row, which need not begin at the frame.
    const inRow = picture.cells.flatMap((cell, i) => (cell.y === y ? [spots[i]!.x] : []));
    const first = picture.hexagonal && inRow.length ? Math.min(...inRow) - edge : left;
    return { at: { x: first - 0.26, y: place(0, y).y }, label };
  });
  if (labels && columns.length) bottom += 0.5;
  if (labels && rows.length) left -= 0.55;
  if (labels && rows.length && !picture.hexagonal) right += 0.1;
  return { spots, left, top, width: right - left, height: bottom - top, columns, rows };
}

/** The corners of a hexagon that stands on a corner, for the attribute `points`. */
export function hexagon(at: Spot, radius: number): string {
  const corner = (i: number) => {
    const angle = (Math.PI / 3) * i + Math.PI / 6;
    return `${(at.x + radius * Math.cos(angle)).toFixed(3)},${(at.y + radius * Math.sin(angle)).toFixed(3)}`;
  };
  return [0, 1, 2, 3, 4, 5].map(corner).join(" ");
}

/** The nearest of some cells in a direction, for arrow keys. */
export function neighbour(spots: Spot[], from: number, dx: number, dy: number, among: number[]): number | null {
  const here = spots[from];
  if (!here) return among[0] ?? null;
  let best: number | null = null;
  let least = Infinity;
  for (const i of among) {
    const there = spots[i]!;
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const beside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    const far = along + 2.5 * beside;
    if (along > 0.3 && far < least) [best, least] = [i, far];
  }
  return best;
}

/** How a game is drawn. */
export type Skin =
  | "drop"
  | "marks"
  | "stones"
  | "hexes"
  | "star"
  | "dominoes"
  | "amazons"
  | "pawns"
  | "discs"
  | "draughts"
  | "cannon"
  | "tree";

const SKINS: Record<string, Skin> = {
  connect4: "drop",
  tictactoe: "marks",
  mnk: "marks",
  go: "stones",
  nogo: "stones",
  seki: "stones",
  y: "hexes",
  pentalath: "hexes",
  "chinese-checkers": "star",
  domineering: "dominoes",
  amazons: "amazons",
  breakthrough: "pawns",
  loa: "discs",
  checkers: "draughts",
  cannon: "cannon",
  written: "tree",
};

/** The skin of a game; one that nobody knows gets marks or hexagons. */
export const skinOf = (board: Board): Skin =>
  SKINS[board.game.split(":")[0] ?? ""] ?? (board.picture.hexagonal ? "hexes" : "marks");

/** Whether pieces stand on crossings of lines instead of in cells. */
export const onLines = (skin: Skin) => skin === "stones" || skin === "cannon";
