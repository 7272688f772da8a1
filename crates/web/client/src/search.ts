// A search that somebody else runs, as signals: what it has told last, whether it works, how its value went.

import { batch, type Signal, signal } from "@preact/signals";
import { say, transport } from "./state";
import type { Job } from "./transport";
import type { Analyzed, Pair, Task } from "./types";

/** The value of the root at some time. */
export interface Point {
  time: number;
  mean: number | null;
  bounds: Pair;
}

export class Search<A extends { final: boolean; error?: string }> {
  readonly told: Signal<A | null> = signal(null);
  readonly works = signal(false);
  readonly task: Signal<Task | null> = signal(null);
  readonly history: Signal<Point[]> = signal([]);
  private job: Promise<Job> | null = null;
  /** Counts questions, so that nothing of an earlier one is taken for an answer. */
  private asked = 0;

  /** Asks something. What the search knows about the same game is kept. */
  async ask(task: Task): Promise<void> {
    const mine = ++this.asked;
    batch(() => {
      const sameAs = (old: Task | null) => old && JSON.stringify(keyOf(old)) === JSON.stringify(keyOf(task));
      if (!sameAs(this.task.value)) this.history.value = [];
      this.task.value = task;
      this.told.value = null;
      this.works.value = true;
    });
    const told = (answer: A) => {
      if (!("game" in answer) && !("error" in answer) && !("parts" in answer)) return;
      batch(() => {
        if (answer.error) say(new Error(answer.error));
        else this.told.value = answer;
        this.works.value = !answer.final;
        this.remember(answer);
      });
    };
    this.relay = told;
    try {
      if (this.job) await (await this.job).go(task);
      else await (this.job = transport.begin<A>(task, (answer) => this.relay(answer)));
    } catch (error) {
      if (mine !== this.asked) return;
      if (!(await this.job?.catch(() => null))) this.job = null;
      this.works.value = false;
      say(error);
    }
  }

  private relay: (answer: A) => void = () => undefined;

  /** Asks, and waits for the end. */
  async answer(task: Task): Promise<A | null> {
    await this.ask(task);
    const mine = this.asked;
    return new Promise((resolve) => {
      const stop = this.works.subscribe((works) => {
        if (works && mine === this.asked) return;
        queueMicrotask(() => stop());
        resolve(mine === this.asked ? this.told.value : null);
      });
    });
  }

  /** It ends with what it has, which stays. */
  async stop() {
    if (this.works.value) (await this.job)?.stop();
  }

  async tree(path: string[]) {
    const job = await this.job;
    if (!job) throw new Error("there is no search yet");
    return job.tree(path);
  }

  async certificate() {
    const job = await this.job;
    if (!job) throw new Error("there is no proof yet");
    return job.certificate();
  }

  /** All is forgotten. */
  close() {
    this.asked += 1;
    this.job?.then((job) => job.close()).catch(() => undefined);
    this.job = null;
    batch(() => {
      this.told.value = null;
      this.works.value = false;
      this.history.value = [];
      this.task.value = null;
    });
  }

  private remember(answer: A) {
    const found = answer as unknown as Analyzed;
    if (!found.bounds) return;
    const best = found.moves?.find((move) => move.move === found.best_move) ?? found.moves?.[0];
    const mean = best && "mean" in best ? best.mean : null;
    const before = this.history.value;
    const points = [...before, { time: found.elapsed_s, mean, bounds: found.bounds }];
    // Long searches have as many points as short ones.
    this.history.value = points.length > 400 ? points.filter((_, i) => i % 2 === 0) : points;
  }
}

const keyOf = ({ game, position, moves, search }: Task) => [game, position, moves, search];
