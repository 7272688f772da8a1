// What the server says: the vocabulary of docs/JSON.md and docs/API.md.

export type Side = "first" | "second";
export type Verdict = "win" | "draw" | "loss";
export type Pair = [number, number];

/** Which game somebody means: enough to reach its position. */
export interface Line {
  game: string;
  position?: string;
  moves: string[];
}

export interface Cell {
  name: string;
  x: number;
  y: number;
  symbol: string;
  owner: Side | null;
}

export interface Picture {
  cells: Cell[];
  columns: [number, string][];
  rows: [number, string][];
  hexagonal: boolean;
  named: boolean;
  notes: string[];
}

export interface MoveCells {
  move: string;
  cells: number[];
}

export interface PlyMade {
  ply: number;
  to_move: Side;
  legal_count: number;
  move: string;
  cells: number[];
}

export interface Board {
  game: string;
  position: string;
  to_move: Side | null;
  start: string;
  plies: PlyMade[];
  sides: [string, string];
  outcome: Side | "draw" | null;
  score: number | null;
  result: string | null;
  range: Pair;
  moves: MoveCells[];
  picture: Picture;
}

export interface GameInfo {
  name: string;
  parameters: string;
  example: string;
  rules: string;
  standard: string;
  boards: string[];
  score_range: Pair;
}

export interface Rules extends GameInfo {
  full_rules: string;
  game: string;
  /** The moves to the position of the picture, with blanks between them. */
  moves: string;
}

export interface SearchInfo {
  name: string;
  meaning: string;
  papers: string;
  spec: string;
}

export interface Hello {
  version: string;
  jobs: number;
  memory_bytes: number;
  threads: number;
  time_s: number;
  /** Whether there is a store to show. */
  results: boolean;
}

/** An experiment of a store. */
export interface Experiment {
  experiment: number;
  kind: string;
  game: string;
  what: string;
  trials: number;
  result: number | null;
  low: number | null;
  high: number | null;
  unit: string;
  seconds: number;
  begun: string;
  winner: Side | "draw" | null;
}

/** A table of a paper, done again. */
export interface PaperTable {
  table: string;
  title: string;
  source: string;
  summary: string;
  command: string;
  heads: string[];
  rows: string[][];
  plots: string[];
}

export interface Kept {
  experiments: Experiment[];
  tables: PaperTable[];
}

/** What all searches say. */
export interface Found {
  id: number;
  final: boolean;
  error?: string;
  game: string;
  position: string;
  to_move: Side | null;
  search: string;
  solved: boolean;
  value: Verdict | "unknown" | null;
  score: number | null;
  bounds: Pair;
  scale: "points" | "result";
  plies: number | null;
  best_move: string | null;
  pv: string[];
  nodes: number;
  simulations: number;
  elapsed_s: number;
  memory_bytes: number;
  ended: "solved" | "limit" | "memory" | "exhausted" | null;
}

export interface Thought {
  move: string;
  visits: number;
  mean: number | null;
  points: number | null;
  wins: number | null;
  bounds: Pair;
  proven: Verdict | null;
  pv: string[];
}

export interface Analyzed extends Found {
  moves: Thought[];
  /** The move that a player chooses. */
  move?: string;
}

export interface MoveValue {
  move: string;
  value: Verdict | "unknown";
  score: number | null;
  bounds: Pair;
  plies: number | null;
}

export interface Solved extends Found {
  seed: number;
  moves?: MoveValue[];
}

export interface Worth {
  value: Verdict | "unknown";
  points: number | null;
  proven: boolean;
  bounds: Pair;
}

export interface Judged {
  ply: number;
  to_move: Side;
  move: string;
  before: Worth;
  after: Worth;
  judged_by: "proof" | "mixed" | "estimate" | null;
  loss: number | null;
  mistake: boolean;
  turning_point: boolean;
  better: string | null;
  better_proven: boolean;
  refutation: string[];
}

export interface Played {
  moves: number;
  mistakes: number;
  turning_points: number;
  average_loss: number | null;
}

export interface Reviewed {
  id: number;
  final: boolean;
  error?: string;
  parts?: number;
  of?: number;
  game: string;
  done: boolean;
  first: Played;
  second: Played;
  turning_points: number[];
  moves: Judged[];
}

export interface Branch {
  move: string;
  visits: number;
  mean: number | null;
  bounds: Pair;
  proven: Verdict | null;
  cut: boolean;
  proof?: number | null;
  disproof?: number | null;
  product?: number;
}

export interface Tree {
  path: string[];
  to_move: Side | null;
  children: Branch[];
}

/** What a search is asked. */
export interface Task extends Line {
  do: "analyze" | "move" | "solve" | "review";
  search?: string;
  time?: string;
  nodes?: number;
  simulations?: number;
  threads?: number;
  seed?: number;
  shortest?: boolean;
  all_moves?: boolean;
}
