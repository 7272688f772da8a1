// The value of the root over time: its bounds as a hatched band that narrows, the mean as a line. Solid where proven.

import type { Point } from "./search";
import { along, seconds, seenBy } from "./values";
import type { Pair, Side } from "./types";

interface Props {
  points: Point[];
  range: Pair;
  side: Side;
}

const WIDTH = 320;
const HEIGHT = 104;
const [LEFT, TOP, BOTTOM] = [34, 8, 18];

export function Chart({ points, range, side }: Props) {
  const last = points.at(-1);
  if (!last || points.length < 2) return <div class="chart empty">The course of the value appears here.</div>;
  const ends = seenBy(range, side);
  const until = Math.max(last.time, 0.1);
  const x = (time: number) => LEFT + (time / until) * (WIDTH - LEFT - 6);
  const y = (share: number) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const seen = points.map((point) => ({ ...point, bounds: seenBy(point.bounds, side) }));
  const edge = (which: 0 | 1) => {
    let path = "";
    seen.forEach((point, i) => {
      const level = y(along(point.bounds[which], ends)).toFixed(1);
      path += i === 0 ? `${x(0)} ${level}` : `H${x(point.time).toFixed(1)}V${level}`;
    });
    return path;
  };
  const upper = `M${edge(1)}H${x(until)}`;
  // Back along the lower edge, step by step.
  const lower = [...seen].reverse().map((point) => `V${y(along(point.bounds[0], ends)).toFixed(1)}H${x(point.time).toFixed(1)}`);
  const sign = side === "first" ? 1 : -1;
  const means = seen.filter((point) => point.mean !== null && point.bounds[0] !== point.bounds[1]);
  const line = means.map((point, i) => `${i ? "L" : "M"}${x(point.time).toFixed(1)} ${y((sign * point.mean! + 1) / 2).toFixed(1)}`);
  const first = seen.find((point) => point.bounds[0] === point.bounds[1]);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Value over time for the player to move">
      {([0, 0.5, 1] as const).map((share) => (
        <path class="grid" d={`M${LEFT} ${y(share)}H${WIDTH - 6}`} />
      ))}
      <path class="band" d={`${upper}${lower.join("")}H${x(0)}Z`} />
      <path class="line" d={line.join("")} />
      {first && (
        <path class={`solid ${first.bounds[0] > 0 ? "win" : first.bounds[0] < 0 ? "loss" : "draw"}`} d={`M${x(first.time)} ${y(along(first.bounds[0], ends))}H${Math.max(x(until), x(first.time) + 4)}`} />
      )}
      <g class="axis">
        <text x={LEFT - 5} y={y(1) + 4}>{ends[1] === 1 ? "win" : ends[1]}</text>
        <text x={LEFT - 5} y={y(0) + 3}>{ends[0] === -1 ? "loss" : ends[0]}</text>
        <text class="time" x={WIDTH - 6} y={HEIGHT - 3}>{seconds(until)}</text>
      </g>
    </svg>
  );
}
