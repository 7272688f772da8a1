// Values in the view of one player, as numbers and words.

import type { Found, Pair, Side, Thought, Verdict } from "./types";

/** Bounds in the view of a player. */
export const seenBy = ([low, high]: Pair, side: Side): Pair => (side === "first" ? [low, high] : [-high, -low]);

const signed = (value: number, digits = 0) => {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value > 0 ? "+" : "−") + text;
};

/** What is guessed about a move: a share of wins, or points, for the player to move. */
export interface Guess {
  /** From -1 (worst) to 1 (best) on the scale of the range. */
  mean: number;
  text: string;
  unit: "%" | "points";
}

export function guess(thought: Thought, side: Side, scale: Found["scale"]): Guess | null {
  if (thought.mean === null) return null;
  // Old simulations may have hoped for more than what has been proven possible since.
  const [low, high] = seenBy(thought.bounds, side);
  const possible = (value: number) => Math.min(high, Math.max(low, value));
  if (scale === "points" && thought.points !== null) {
    const mean = side === "first" ? thought.mean : -thought.mean;
    return { mean, text: signed(possible(side === "first" ? thought.points : -thought.points), 1), unit: "points" };
  }
  const mean = possible(side === "first" ? thought.mean : -thought.mean);
  return { mean, text: `${Math.round(50 * (mean + 1))}`, unit: "%" };
}

export const verdictOf = (bounds: Pair, side: Side): Verdict | null => {
  const [low, high] = seenBy(bounds, side);
  return low > 0 ? "win" : high < 0 ? "loss" : low === 0 && high === 0 ? "draw" : null;
};

/** `win in 5`, `loss`, `win by 3`: what is proven, for the player to move. */
export function proven(bounds: Pair, side: Side, scale: Found["scale"], plies?: number | null): string | null {
  const verdict = verdictOf(bounds, side);
  if (!verdict) return null;
  const exact = bounds[0] === bounds[1];
  const points = scale === "points" && verdict !== "draw";
  const size = points ? (exact ? ` by ${Math.abs(bounds[0])}` : ` by ${Math.min(...bounds.map(Math.abs))} or more`) : "";
  return verdict + size + (plies ? ` in ${plies}` : "");
}

/** Where a value lies between the ends of a range, from 0 to 1. */
export const along = (value: number, [low, high]: Pair) =>
  high === low ? 0.5 : Math.min(1, Math.max(0, (value - low) / (high - low)));

/** 12345 as `12.3 k`. */
export function short(count: number): string {
  const units: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const unit = units.find(([size]) => count >= size);
  if (!unit) return String(Math.round(count));
  const value = count / unit[0];
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit[1]}`;
}

export function bytes(count: number): string {
  const unit = ["B", "KiB", "MiB", "GiB"];
  let at = 0;
  let value = count;
  for (; value >= 1024 && at < 3; at += 1) value /= 1024;
  return `${value < 10 && at ? value.toFixed(1) : Math.round(value)} ${unit[at]}`;
}

export const seconds = (value: number) =>
  value < 10 ? `${value.toFixed(1)} s` : value < 120 ? `${Math.round(value)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;

export const sign = (verdict: Verdict) => ({ win: "W", draw: "D", loss: "L" })[verdict];
export { signed };
