// Boards and pieces as shapes, in units of a cell. Colours are classes, so that the style sheet has all of them.

import type { JSX } from "preact";
import { hexagon, type Layout, type Skin, type Spot } from "./geometry";
import type { Cell, Picture } from "./types";

const at = (spot: Spot) => `translate(${spot.x} ${spot.y})`;

/** What lies under the pieces. */
export function Ground({ skin, picture, layout }: { skin: Skin; picture: Picture; layout: Layout }) {
  const { spots } = layout;
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const frame = (class_: string, pad: number, round = 0.12) => (
    <rect class={class_} x={x0 - pad} y={y0 - pad} width={x1 - x0 + 2 * pad} height={y1 - y0 + 2 * pad} rx={round} />
  );
  const tiles = (class_: (cell: Cell) => string) =>
    picture.cells.map((cell, i) => (
      <rect class={class_(cell)} x={spots[i]!.x - 0.5} y={spots[i]!.y - 0.5} width="1" height="1" />
    ));
  const chequered = (cell: Cell) => ((cell.x / 2 + cell.y) % 2 === 0 ? "tile dark" : "tile");
  switch (skin) {
    case "drop":
      return (
        <g>
          {frame("rack", 0.62, 0.3)}
          {spots.map((spot) => (
            <circle class="hole" cx={spot.x} cy={spot.y} r="0.41" />
          ))}
        </g>
      );
    case "marks":
      return (
        <g>
          {frame("paper", 0.5)}
          <path class="rule" d={innerLines(x0, x1, y0, y1)} />
        </g>
      );
    case "stones":
      return (
        <g>
          {frame("wood", 0.5)}
          <path class="line" d={lines(picture, spots)} />
          {starPoints(x1 - x0 + 1, y1 - y0 + 1).map(([x, y]) => (
            <circle class="dot" cx={x0 + x} cy={y0 + y} r="0.075" />
          ))}
        </g>
      );
    case "cannon":
      return (
        <g>
          {frame("wood", 0.5)}
          <path class="line" d={lines(picture, spots)} />
        </g>
      );
    case "hexes":
      return (
        <g>
          {spots.map((spot) => (
            <polygon class="hex" points={hexagon(spot, 0.565)} />
          ))}
        </g>
      );
    case "star":
      return (
        <g>
          <path class="line faint" d={steps(spots)} />
          {spots.map((spot) => (
            <circle class="pit" cx={spot.x} cy={spot.y} r="0.33" />
          ))}
        </g>
      );
    case "dominoes":
      return (
        <g>
          {frame("tray", 0.56)}
          {picture.cells.map((_, i) => (
            <rect class="slot" x={spots[i]!.x - 0.47} y={spots[i]!.y - 0.47} width="0.94" height="0.94" rx="0.08" />
          ))}
        </g>
      );
    case "tree":
      return <g>{frame("paper", 0.5)}</g>;
    default:
      return (
        <g>
          {frame("edge", 0.56)}
          {tiles(skin === "discs" ? (cell) => `${chequered(cell)} soft` : chequered)}
        </g>
      );
  }
}

function innerLines(x0: number, x1: number, y0: number, y1: number): string {
  let path = "";
  for (let x = x0 + 0.5; x < x1; x += 1) path += `M${x} ${y0 - 0.42}V${y1 + 0.42}`;
  for (let y = y0 + 0.5; y < y1; y += 1) path += `M${x0 - 0.42} ${y}H${x1 + 0.42}`;
  return path;
}

/** Lines between neighbouring points. */
function lines(picture: Picture, spots: Spot[]): string {
  const found = new Map(picture.cells.map((cell, i) => [`${cell.x} ${cell.y}`, spots[i]!]));
  let path = "";
  picture.cells.forEach((cell, i) => {
    for (const [dx, dy] of [[2, 0], [0, 1]] as const) {
      const there = found.get(`${cell.x + dx} ${cell.y + dy}`);
      if (there) path += `M${spots[i]!.x} ${spots[i]!.y}L${there.x} ${there.y}`;
    }
  });
  return path;
}

/** Lines between cells that touch, each once. */
function steps(spots: Spot[]): string {
  let path = "";
  spots.forEach((a, i) =>
    spots.slice(i + 1).forEach((b) => {
      if (Math.hypot(a.x - b.x, a.y - b.y) < 1.05) path += `M${a.x} ${a.y}L${b.x} ${b.y}`;
    }),
  );
  return path;
}

function starPoints(columns: number, rows: number): [number, number][] {
  if (columns !== rows || columns < 7) return [];
  const edge = columns < 13 ? 2 : 3;
  const side = columns % 2 === 1 ? [edge, (columns - 1) / 2, columns - 1 - edge] : [edge, columns - 1 - edge];
  const all = side.flatMap((x) => side.map((y): [number, number] => [x, y]));
  return columns >= 13 ? all : all.filter(([x, y]) => (x === side[1]) === (y === side[1]) || side.length === 2);
}

/** What stands on a cell; nothing on an empty one. */
export function Piece({ skin, cell, spot }: { skin: Skin; cell: Cell; spot: Spot }): JSX.Element | null {
  const { owner, symbol } = cell;
  const shape = owner === null ? neutral(skin, symbol) : owned(skin, symbol, owner);
  return shape && <g transform={at(spot)}>{shape}</g>;
}

function neutral(skin: Skin, symbol: string): JSX.Element | null {
  if (symbol === "." || symbol === " ") return null;
  if (skin === "amazons") {
    return (
      <g class="arrow-piece">
        <rect x="-0.36" y="-0.36" width="0.72" height="0.72" rx="0.14" />
        <path d="M-0.17 0.17L0.17 -0.17M0.17 -0.17h-0.2M0.17 -0.17v0.2" />
      </g>
    );
  }
  if (skin === "stones") return <circle class="taken" r="0.16" />;
  if (skin === "dominoes") return <rect class="domino lone" x="-0.42" y="-0.42" width="0.84" height="0.84" rx="0.16" />;
  return (
    <text class="glyph" y="0.02">
      {symbol}
    </text>
  );
}

function owned(skin: Skin, symbol: string, owner: string): JSX.Element {
  const of = `piece ${owner}`;
  switch (skin) {
    case "drop":
      return (
        <g class={`${of} token`}>
          <circle r="0.41" />
          <circle class="ring" r="0.28" />
        </g>
      );
    case "marks":
      return owner === "first" ? (
        <path class={`${of} mark`} d="M-0.25 -0.25L0.25 0.25M0.25 -0.25L-0.25 0.25" />
      ) : (
        <circle class={`${of} mark`} r="0.27" />
      );
    case "stones":
    case "hexes":
      return (
        <g class={`${of} ${symbol.toLowerCase() === "w" ? "pale" : symbol.toLowerCase() === "b" ? "deep" : ""} stone`}>
          <circle r={skin === "stones" ? 0.465 : 0.4} />
          <ellipse class="shine" cx="-0.13" cy="-0.16" rx="0.16" ry="0.11" transform="rotate(-40 -0.13 -0.16)" />
        </g>
      );
    case "star":
      return (
        <g class={`${of} marble`}>
          <circle r="0.37" />
          <ellipse class="shine" cx="-0.11" cy="-0.14" rx="0.13" ry="0.08" transform="rotate(-40 -0.11 -0.14)" />
        </g>
      );
    case "amazons":
      return (
        <g class={`${of} ${shade(symbol)} figure`}>
          <path d="M-0.27 0.3L-0.33 -0.12L-0.15 0.04L0 -0.26L0.15 0.04L0.33 -0.12L0.27 0.3Z" />
          <circle cx="-0.33" cy="-0.17" r="0.05" />
          <circle cx="0" cy="-0.31" r="0.06" />
          <circle cx="0.33" cy="-0.17" r="0.05" />
          <path class="band" d="M-0.25 0.2H0.25" />
        </g>
      );
    case "pawns":
      return (
        <g class={`${of} ${shade(symbol)} figure`}>
          <path d="M-0.26 0.33C-0.26 0.17 -0.1 0.16 -0.1 -0.03H0.1C0.1 0.16 0.26 0.17 0.26 0.33Z" />
          <path d="M-0.15 -0.04H0.15" class="band" />
          <circle cx="0" cy="-0.17" r="0.15" />
        </g>
      );
    case "discs":
    case "draughts": {
      const king = symbol !== symbol.toLowerCase();
      return (
        <g class={`${of} ${shade(symbol)} disc`}>
          <circle class="rim" cy="0.045" r="0.39" />
          <circle r="0.39" />
          <circle class="ring" r="0.27" />
          {king && <path class="crown" d="M-0.17 0.12L-0.2 -0.12L-0.08 0L0 -0.16L0.08 0L0.2 -0.12L0.17 0.12Z" />}
        </g>
      );
    }
    case "cannon":
      return symbol !== symbol.toLowerCase() ? (
        <g class={`${of} ${shade(symbol)} figure`}>
          <path d="M-0.32 0.32V-0.3H-0.18V-0.18H-0.07V-0.3H0.07V-0.18H0.18V-0.3H0.32V0.32Z" />
          <path class="band" d="M-0.09 0.32V0.12A0.09 0.09 0 0 1 0.09 0.12V0.32" />
        </g>
      ) : (
        <g class={`${of} ${shade(symbol)} disc`}>
          <circle r="0.3" />
          <circle class="ring" r="0.15" />
        </g>
      );
    default:
      return (
        <text class={`${of} glyph`} y="0.02">
          {symbol}
        </text>
      );
  }
}

/** Games with white and black pieces: who is which differs. */
const shade = (symbol: string) => (symbol.toLowerCase() === "b" ? "deep" : "pale");

/** A domino over two cells. */
export function Domino({ a, b, owner }: { a: Spot; b: Spot; owner: string }) {
  const [x, y] = [Math.min(a.x, b.x) - 0.43, Math.min(a.y, b.y) - 0.43];
  const [width, height] = [Math.abs(a.x - b.x) + 0.86, Math.abs(a.y - b.y) + 0.86];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const across = a.x === b.x;
  return (
    <g class={`domino ${owner}`}>
      <rect x={x} y={y} width={width} height={height} rx="0.16" />
      <path
        class="band"
        d={across ? `M${middle.x - 0.26} ${middle.y}h0.52` : `M${middle.x} ${middle.y - 0.26}v0.52`}
      />
      <circle cx={a.x} cy={a.y} r="0.075" />
      <circle cx={b.x} cy={b.y} r="0.075" />
    </g>
  );
}
