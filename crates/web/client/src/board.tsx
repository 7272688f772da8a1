// The board: one SVG for all games. A move is chosen by clicking its cells in their order, by dragging, or with
// arrow keys and Enter.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Layout, layout, neighbour, onLines, type Skin, skinOf, type Spot } from "./geometry";
import { Domino, Ground, Piece } from "./pieces";
import type { Board, MoveCells } from "./types";

interface Props {
  board: Board;
  flip: boolean;
  labels: boolean;
  /** Called with the move that was chosen; without it the board is only looked at. */
  choose?: ((move: string) => void) | undefined;
  /** The name of the board for those who do not see it. */
  name: string;
  children?: ((layout: Layout, skin: Skin) => ComponentChildren) | undefined;
}

/** Whether the cells clicked so far begin a move. Which end of a domino comes first does not matter. */
function begins(move: MoveCells, clicked: number[], skin: Skin): boolean {
  if (clicked.length > move.cells.length) return false;
  const cells = skin === "dominoes" && move.cells[0] !== clicked[0] ? [...move.cells].reverse() : move.cells;
  return clicked.every((cell, i) => cells[i] === cell);
}

const next = (move: MoveCells, clicked: number[], skin: Skin) =>
  skin === "dominoes" && clicked.length === 1
    ? move.cells.find((cell) => cell !== clicked[0])
    : move.cells[clicked.length];

export function BoardView({ board, flip, labels, choose, name, children }: Props) {
  const skin = skinOf(board);
  const { cells } = board.picture;
  const where = layout(board.picture, flip, labels, onLines(skin) ? 0.08 : skin === "drop" ? 0.14 : 0.06);
  const { spots } = where;
  const clicked = useSignal<number[]>([]);
  const shownFor = useRef("");
  const focus = useSignal(-1);
  const drag = useSignal<{ from: number; at: Spot } | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  // Who plays with keys goes on with keys: the cell that had the focus may be gone.
  const byKey = useRef(false);
  useEffect(() => {
    if (byKey.current && choose && document.activeElement === document.body) {
      svg.current?.querySelector<SVGElement>('.spot[tabindex="0"]')?.focus();
    }
  });
  const key = `${board.game} ${board.position} ${board.plies.length}`;
  if (shownFor.current !== key) {
    shownFor.current = key;
    clicked.value = [];
  }
  const moves = choose ? board.moves : [];
  const open = moves.filter((move) => move.cells.length && begins(move, clicked.value, skin));
  const targets = new Set<number>();
  if (skin === "dominoes" && !clicked.value.length) open.forEach((move) => move.cells.forEach((cell) => targets.add(cell)));
  else open.forEach((move) => targets.add(next(move, clicked.value, skin) ?? -1));
  // A disc falls: the whole column stands for its lowest free cell.
  const column = new Map<number, number>();
  if (skin === "drop") {
    for (const target of targets) {
      cells.forEach((cell, i) => cell.x === cells[target]?.x && column.set(i, target));
    }
  }
  const complete = open.filter((move) => move.cells.length === clicked.value.length);
  const ambiguous = clicked.value.length > 0 && complete.length > 0;

  function click(cell: number, isDrop = false) {
    if (!choose) return;
    const target = column.get(cell) ?? cell;
    if (!targets.has(target)) {
      const again = moves.some((move) => begins(move, [target], skin)) && !clicked.value.includes(target);
      if (!isDrop) clicked.value = again ? [target] : [];
      return;
    }
    const sofar = [...clicked.value, target];
    const left = open.filter((move) => begins(move, sofar, skin));
    const done = left.filter((move) => move.cells.length === sofar.length);
    if (left.length === 1 && done.length === 1) {
      clicked.value = [];
      choose(done[0]!.move);
    } else clicked.value = sofar;
  }

  const pointOf = (event: PointerEvent): Spot => {
    const to = svg.current!.getScreenCTM()!.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(to);
    return { x: point.x, y: point.y };
  };
  const cellAt = (point: Spot) => spots.findIndex((spot) => Math.hypot(spot.x - point.x, spot.y - point.y) < 0.5);

  function down(event: PointerEvent, cell: number) {
    if (!choose || event.button !== 0) return;
    click(cell);
    if (clicked.value.at(-1) === cell && cells[cell]?.owner) {
      drag.value = { from: cell, at: spots[cell]! };
      const element = event.currentTarget as Element;
      if (element.hasPointerCapture(event.pointerId)) element.releasePointerCapture(event.pointerId);
    }
  }
  function up(event: PointerEvent) {
    const from = drag.value?.from;
    drag.value = null;
    if (from === undefined) return;
    const to = cellAt(pointOf(event));
    if (to >= 0 && to !== from) click(to, true);
  }

  const stops = choose ? [...new Set([...targets, ...column.keys()])].filter((cell) => cell >= 0) : [];
  const focused = stops.includes(focus.value) ? focus.value : (stops[0] ?? -1);
  function press(event: KeyboardEvent) {
    const by: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    // The page may not have been drawn again since the last key.
    const here = Number((event.target as SVGElement).dataset["cell"] ?? focused);
    const direction = by[event.key];
    if (direction && !event.altKey) {
      const to = neighbour(spots, here, direction[0], direction[1], stops);
      if (to !== null) {
        focus.value = to;
        svg.current?.querySelector<SVGElement>(`[data-cell="${to}"]`)?.focus();
      }
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" || event.key === " ") {
      byKey.current = true;
      click(here);
      event.preventDefault();
    } else if (event.key === "Escape") clicked.value = [];
  }

  const last = board.plies.at(-1);
  const lastCells = new Set(last?.cells ?? []);
  const dominoes = skin === "dominoes" ? board.plies.filter((ply) => ply.cells.length === 2) : [];
  const covered = new Set(dominoes.flatMap((ply) => ply.cells));
  const { left, top, width, height } = where;
  return (
    <div class="board-frame">
      <svg
        ref={svg}
        class={`board ${skin} ${choose ? "live" : ""}`}
        viewBox={`${left} ${top} ${width} ${height}`}
        style={{ aspectRatio: `${width} / ${height}` }}
        role="group"
        aria-label={name}
        onPointerMove={(event) => drag.value && (drag.value = { ...drag.value, at: pointOf(event) })}
        onPointerUp={up}
        onPointerLeave={() => (drag.value = null)}
        onKeyDown={press}
      >
        <Ground skin={skin} picture={board.picture} layout={where} />
        {labels && (
          <g class="labels" aria-hidden="true" font-size={Math.min(0.3, Math.max(0.12, width * 0.027))}>
            {where.columns.map(({ at, label }) => (
              <text x={at.x} y={at.y}>
                {label}
              </text>
            ))}
            {where.rows.map(({ at, label }) => (
              <text x={at.x} y={at.y}>
                {label}
              </text>
            ))}
          </g>
        )}
        <g class="pieces" aria-hidden="true">
          {last && !onLines(skin) && skin !== "drop" && skin !== "dominoes" &&
            last.cells.map((cell) => <Highlight skin={skin} spot={spots[cell]!} />)}
          {dominoes.map((ply) => (
            <Domino a={spots[ply.cells[0]!]!} b={spots[ply.cells[1]!]!} owner={ply.to_move} />
          ))}
          {cells.map((cell, i) =>
            covered.has(i) ? null : (
              <g
                key={`${i}${cell.symbol}`}
                class={`${drag.value?.from === i ? "lifted" : ""} ${lastCells.has(i) && skin === "drop" ? "fallen" : ""}`}
              >
                <Piece skin={skin} cell={cell} spot={spots[i]!} />
              </g>
            ),
          )}
          {board.picture.named && labels &&
            cells.map((cell, i) =>
              cell.owner === null && cell.symbol === "." ? (
                <text class="name" x={spots[i]!.x} y={spots[i]!.y}>
                  {cell.name}
                </text>
              ) : null,
            )}
          {last && (onLines(skin) || skin === "drop" || skin === "dominoes") &&
            last.cells.slice(-1).map((cell) => <LastDot spot={spots[cell]!} of={last.to_move} skin={skin} />)}
        </g>
        <g class="above" aria-hidden="true">
          {clicked.value.map((cell) => (
            <circle class="chosen" cx={spots[cell]!.x} cy={spots[cell]!.y} r="0.46" />
          ))}
          {(clicked.value.length > 0) &&
            [...targets].map((cell) =>
              spots[cell] ? (
                <circle
                  class={cells[cell]?.owner ? "target taken-target" : "target"}
                  cx={spots[cell]!.x}
                  cy={spots[cell]!.y}
                  r={cells[cell]?.owner ? 0.45 : 0.14}
                />
              ) : null,
            )}
          {children?.(where, skin)}
          {drag.value && (
            <g class="dragged" transform={`translate(${drag.value.at.x - spots[drag.value.from]!.x} ${drag.value.at.y - spots[drag.value.from]!.y})`}>
              <Piece skin={skin} cell={cells[drag.value.from]!} spot={spots[drag.value.from]!} />
            </g>
          )}
        </g>
        {choose && (
          <g class="spots">
            {stops.concat(clicked.value.filter((cell) => !stops.includes(cell))).map((cell) => (
              <rect
                key={cell}
                data-cell={cell}
                data-name={cells[cell]!.name}
                class={`spot ${targets.has(cell) ? "legal" : ""}`}
                x={spots[cell]!.x - 0.5}
                y={spots[cell]!.y - 0.5}
                width="1"
                height="1"
                rx="0.1"
                role="button"
                tabIndex={cell === focused ? 0 : -1}
                aria-label={spoken(board, cell, skin)}
                onPointerDown={(event) => {
                  byKey.current = false;
                  down(event, cell);
                }}
                onFocus={() => (focus.value = cell)}
              />
            ))}
          </g>
        )}
      </svg>
      <div class="choices" aria-live="polite">
        {ambiguous &&
          complete.map((move) => (
            <button type="button" onClick={() => choose?.(move.move)}>
              Play {move.move}
            </button>
          ))}
        {ambiguous && (
          <button type="button" class="quiet" onClick={() => (clicked.value = [])}>
            Cancel
          </button>
        )}
      </div>
    </div>
  );
}

function spoken(board: Board, cell: number, skin: Skin): string {
  const { name, owner } = board.picture.cells[cell]!;
  if (skin === "drop") return `column ${board.picture.columns.find(([x]) => x === board.picture.cells[cell]!.x)?.[1]}, ${name}`;
  return `${name || "a cell"}, ${owner ? board.sides[owner === "first" ? 0 : 1] : "empty"}`;
}

function Highlight({ skin, spot }: { skin: Skin; spot: Spot }) {
  if (skin === "hexes" || skin === "star") return <circle class="last-ring" cx={spot.x} cy={spot.y} r="0.47" />;
  return <rect class="last-cell" x={spot.x - 0.5} y={spot.y - 0.5} width="1" height="1" />;
}

function LastDot({ spot, of, skin }: { spot: Spot; of: string; skin: Skin }) {
  return <circle class={`last-dot ${of} ${skin}`} cx={spot.x} cy={spot.y} r="0.13" />;
}
