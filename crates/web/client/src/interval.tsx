// What is known about a value: the certain interval from pess to opti, and inside it what simulations make of it.
// What is proven is solid, what is believed is hatched; colour only repeats it.

import { along } from "./values";
import type { Pair, Verdict } from "./types";

/** Hatching for what is believed. It is defined once for the page. */
export const Patterns = () => (
  <svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false">
    <defs>
      <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="6" height="6" />
        <rect class="hatch-line" width="2.2" height="6" />
      </pattern>
      <pattern id="hatch-small" width="0.14" height="0.14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="0.14" height="0.14" />
        <rect class="hatch-line" width="0.055" height="0.14" />
      </pattern>
    </defs>
  </svg>
);

interface Props {
  /** All of these in the view of the player to move. */
  bounds: Pair;
  range: Pair;
  mean: number | null;
  verdict: Verdict | null;
  label: string;
}

export function Interval({ bounds, range, mean, verdict, label }: Props) {
  const width = 120;
  const pad = 6;
  const x = (share: number) => pad + share * (width - 2 * pad);
  const [from, to] = [x(along(bounds[0], range)), x(along(bounds[1], range))];
  const isExact = bounds[0] === bounds[1];
  const tick = mean === null ? null : Math.min(to, Math.max(from, x((mean + 1) / 2)));
  return (
    <svg class={`interval ${verdict ?? "open"}`} viewBox={`0 0 ${width} 18`} preserveAspectRatio="xMinYMid" role="img" aria-label={label}>
      <path class="track" d={`M${x(0)} 9H${x(1)}`} />
      {range[0] < 0 && range[1] > 0 && <path class="zero" d={`M${x(along(0, range))} 4.5v9`} />}
      {isExact ? (
        <path class="exact" d={`M${from} 2.5l5.5 6.5l-5.5 6.5l-5.5 -6.5z`} />
      ) : (
        <rect
          class={verdict ? "band certain" : "band"}
          x={from}
          y="4"
          width={Math.max(2, to - from)}
          height="10"
          rx="3"
        />
      )}
      {!isExact && tick !== null && <path class="mean" d={`M${tick} 1.5v15`} />}
    </svg>
  );
}
