// How the page talks to whoever has the rules and the searches. Everything else knows only these two interfaces;
// here they are requests to the server that the page came from.

import type { Board, GameInfo, Hello, Kept, Line, Rules, SearchInfo, Task, Tree } from "./types";

/** A search that somebody else runs. */
export interface Job {
  /** It continues, with what it knows where the game is the same. */
  go(task: Task): Promise<void>;
  stop(): void;
  tree(path: string[]): Promise<Tree>;
  certificate(): Promise<Blob>;
  /** Nobody wants it any more. */
  close(): void;
}

export type Told<A> = (answer: A & { final: boolean; error?: string }) => void;

export interface Transport {
  hello(): Promise<Hello>;
  games(): Promise<GameInfo[]>;
  searches(): Promise<SearchInfo[]>;
  rules(game: string): Promise<Rules>;
  board(line: Line, signal?: AbortSignal): Promise<Board>;
  /** The game of a file. */
  read(text: string): Promise<Board>;
  /** A game as a file. */
  record(line: Line, kind: "text" | "sgf"): Promise<Blob>;
  /** What the store has. */
  results(): Promise<Kept>;
  begin<A>(task: Task, told: Told<A>): Promise<Job>;
}

const ROOT = "/api/v1";

async function ask(path: string, body?: unknown, init: RequestInit = {}): Promise<Response> {
  const post: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(ROOT + path, { ...post, ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Error("The server does not answer. Is `proofplay serve` still running?");
  }
  if (!answer.ok) {
    const why = await answer.json().catch(() => ({ error: `the server says ${answer.status}` }));
    throw Object.assign(new Error(why.error), { status: answer.status });
  }
  return answer;
}

const json = async <T>(path: string, body?: unknown, init?: RequestInit): Promise<T> =>
  (await ask(path, body, init)).json();

class HttpJob<A> implements Job {
  private events: EventSource | null = null;

  constructor(private id: number, private told: Told<A>) {
    this.listen();
  }

  private listen() {
    this.events?.close();
    const events = new EventSource(`${ROOT}/jobs/${this.id}/events`);
    this.events = events;
    const tell = (event: MessageEvent<string>) => {
      if (this.events === events) this.told(JSON.parse(event.data));
    };
    events.addEventListener("report", tell);
    events.addEventListener("end", (event) => {
      // A search that rests needs no connection; browsers have few of them.
      events.close();
      tell(event);
    });
  }

  async go(task: Task) {
    this.events?.close();
    this.events = null;
    try {
      await ask(`/jobs/${this.id}/go`, task);
    } catch (error) {
      const status = (error as { status?: number }).status;
      if (status !== 404 && status !== 410) throw error;
      // Somebody else needed its place.
      this.id = (await json<{ id: number }>("/jobs", task)).id;
    }
    this.listen();
  }

  stop() {
    ask(`/jobs/${this.id}/stop`, {}).catch(() => undefined);
  }

  tree(path: string[]) {
    return json<Tree>(`/jobs/${this.id}/tree?${new URLSearchParams({ path: path.join(" ") })}`);
  }

  async certificate() {
    return (await ask(`/jobs/${this.id}/certificate`)).blob();
  }

  close() {
    this.events?.close();
    this.events = null;
    ask(`/jobs/${this.id}`, undefined, { method: "DELETE", keepalive: true }).catch(() => undefined);
  }
}

export const http: Transport = {
  hello: () => json("/hello"),
  games: async () => (await json<{ games: GameInfo[] }>("/games")).games,
  searches: async () => (await json<{ searches: SearchInfo[] }>("/searches")).searches,
  rules: (game) => json(`/rules?${new URLSearchParams({ game })}`),
  board: (line, signal) => json("/board", line, signal ? { signal } : {}),
  read: (text) => json("/board", { text }),
  async record(line, kind) {
    const words = new URLSearchParams({ game: line.game, moves: line.moves.join(" "), as: kind });
    if (line.position) words.set("position", line.position);
    return (await ask(`/record?${words}`)).blob();
  },
  results: () => json("/results"),
  async begin<A>(task: Task, told: Told<A>) {
    return new HttpJob<A>((await json<{ id: number }>("/jobs", task)).id, told);
  },
};
