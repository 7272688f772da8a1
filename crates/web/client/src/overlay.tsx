// What a search thinks, on the board: a badge on a cell, or an arrow for a move from cell to cell. Solid is proven,
// hatched is believed.

import type { Layout, Spot } from "./geometry";
import type { Analyzed, Board, MoveValue, Solved, Thought, Verdict } from "./types";
import { guess, sign, verdictOf } from "./values";

interface Mark {
  cells: number[];
  verdict: Verdict | null;
  /** Inside the badge. */
  text: string;
  /** How much of the search it has had, from 0 to 1. */
  weight: number;
  isBest: boolean;
}

/** The marks of an analysis. */
export function thoughtMarks(board: Board, told: Analyzed): Mark[] {
  const side = told.to_move;
  if (!side || told.position !== board.position) return [];
  const cells = new Map(board.moves.map((move) => [move.move, move.cells]));
  const most = Math.max(1, ...told.moves.map((move) => move.visits));
  const mark = (move: Thought, i: number): Mark => {
    const verdict = verdictOf(move.bounds, side);
    const text = verdict ? sign(verdict) : (guess(move, side, told.scale)?.text ?? "");
    return { cells: cells.get(move.move) ?? [], verdict, text, weight: move.visits / most, isBest: i === 0 };
  };
  const marks = told.moves.map(mark).filter((mark) => mark.cells.length && (mark.verdict || mark.text));
  // Many numbers are none: what is believed is shown of the moves that the search looks at most.
  const believed = marks.filter((mark) => !mark.verdict).sort((a, b) => b.weight - a.weight);
  const few = new Set(believed.slice(0, MOST_BADGES));
  return marks.filter((mark) => mark.verdict || few.has(mark));
}

/** The marks of what is proven about every move. */
export function valueMarks(board: Board, told: Solved): Mark[] {
  const side = told.to_move;
  if (!side || told.position !== board.position) return [];
  const cells = new Map(board.moves.map((move) => [move.move, move.cells]));
  const marks = (told.moves ?? []).flatMap((move: MoveValue): Mark[] => {
    const verdict = verdictOf(move.bounds, side);
    const isBest = told.solved && move.move === told.best_move;
    const text = verdict ? sign(verdict) + (move.plies ?? "") : "";
    return verdict ? [{ cells: cells.get(move.move) ?? [], verdict, text, weight: 1, isBest }] : [];
  });
  if (marks.length || !told.best_move || !told.solved) return marks;
  const verdict = told.value === "unknown" ? null : told.value;
  return [{ cells: cells.get(told.best_move) ?? [], verdict, text: verdict ? sign(verdict) : "", weight: 1, isBest: true }];
}

/** How many moves that are not proven have a badge. */
const MOST_BADGES = 9;
/** How many arrows are still seen as arrows. */
const MOST_ARROWS = 4;

export function Marks({ marks, layout }: { marks: Mark[]; layout: Layout }) {
  const { spots } = layout;
  const badges = marks.filter((mark) => mark.cells.length === 1);
  const arrows = marks.filter((mark) => mark.cells.length > 1).slice(0, MOST_ARROWS);
  return (
    <g class="thoughts">
      {[...arrows].reverse().map((mark) => (
        <Arrow mark={mark} spots={spots} />
      ))}
      {badges.map((mark) => (
        <Badge mark={mark} spot={spots[mark.cells[0]!]!} />
      ))}
    </g>
  );
}

function Badge({ mark, spot }: { mark: Mark; spot: Spot }) {
  const radius = mark.verdict ? 0.31 : 0.22 + 0.1 * Math.sqrt(mark.weight);
  return (
    <g class={`badge ${mark.verdict ?? "open"} ${mark.isBest ? "best" : ""}`} transform={`translate(${spot.x} ${spot.y})`}>
      <circle class="plate" r={radius + 0.03} />
      <circle class="fill" r={radius} />
      {!mark.verdict && <circle class="plate inner" r={radius * 0.72} />}
      <text class={mark.text.length > 2 ? "long" : ""} y="0.015">{mark.text}</text>
    </g>
  );
}

function Arrow({ mark, spots }: { mark: Mark; spots: Spot[] }) {
  const path = mark.cells.map((cell) => spots[cell]!);
  const width = 0.07 + 0.09 * Math.sqrt(mark.weight);
  const [before, end] = [path.at(-2)!, path.at(-1)!];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const unit = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
  const neck = { x: end.x - unit.x * 0.3, y: end.y - unit.y * 0.3 };
  // The first piece of the way is the move of the piece; what follows, such as the shot of an amazon, is thinner.
  const points = [...path.slice(0, -1), neck].map((spot) => `${spot.x} ${spot.y}`);
  const wing = (side: number) =>
    `${neck.x - side * unit.y * (0.1 + width)} ${neck.y + side * unit.x * (0.1 + width)}`;
  return (
    <g class={`arrow ${mark.verdict ?? "open"} ${mark.isBest ? "best" : ""}`}>
      <path class="shaft" d={`M${points.slice(0, 2).join("L")}`} stroke-width={width} />
      {points.length > 2 && <path class="shaft" d={`M${points.slice(1).join("L")}`} stroke-width={width * 0.5} />}
      <path class="head" d={`M${wing(1)}L${end.x} ${end.y}L${wing(-1)}Z`} />
      {mark.isBest && mark.text && (
        <g transform={`translate(${path[1]!.x} ${path[1]!.y})`}>
          <rect class="plate" x={-0.09 - 0.085 * mark.text.length} y="-0.17" width={0.18 + 0.17 * mark.text.length} height="0.34" rx="0.1" />
          <text y="0.015">{mark.text}</text>
        </g>
      )}
    </g>
  );
}
