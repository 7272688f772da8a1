// Many clients at once: `node load.js PROGRAM [SECONDS]` starts `PROGRAM serve`, and 64 clients ask it for boards,
// proofs and nonsense. Every answer is compared with what is right; then half of a request is sent by more
// connections than there are places. It prints what came back and how much memory the server has had at most.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [program, seconds = "60"] = process.argv.slice(2);
if (!program) throw new Error("usage: node load.js PROGRAM [SECONDS]");
const CLIENTS = 64;
const server = spawn(program, ["serve", "--memory", "256MiB", "--searches", "16"], { stdio: ["ignore", "pipe", "inherit"] });
server.once("exit", (code) => code && (console.error(`the server has ended with ${code}`), process.exit(1)));
const address = await new Promise((found) => createInterface({ input: server.stdout }).once("line", found));
const memory = (what) => Number(readFileSync(`/proc/${server.pid}/status`, "utf8").match(new RegExp(`${what}:\\s+(\\d+)`))[1]) / 1024;

const statuses = new Map();
const times = [];
async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const begun = performance.now();
  const text = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: typeof body === "string" ? body : JSON.stringify(body) };
  const answer = await fetch(`${address}api/v1/${path}`, { method, ...text });
  const told = await answer.text();
  times.push(performance.now() - begun);
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  assert.ok(answer.status < 500, `${path} ${told}`);
  return { status: answer.status, text: told };
}

/** The value of tic-tac-toe for the player to move, by brute force. */
const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((cells) => [...cells].map(Number));
const NAMES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
function worth(board, mover) {
  if (LINES.some((cells) => cells.every((cell) => board[cell] === 3 - mover))) return -1;
  const free = board.flatMap((owner, cell) => (owner ? [] : [cell]));
  if (!free.length) return 0;
  return Math.max(...free.map((cell) => -worth(board.with(cell, mover), 3 - mover)));
}

/** A position of tic-tac-toe in which the game goes on. */
function position(random) {
  let board = Array(9).fill(0);
  const moves = [];
  for (let ply = 0; ply < random(7); ply += 1) {
    const free = board.flatMap((owner, cell) => (owner ? [] : [cell]));
    const cell = free[random(free.length)];
    const next = board.with(cell, 1 + (ply % 2));
    if (LINES.some((cells) => cells.every((at) => next[at] === 1 + (ply % 2)))) break;
    board = next;
    moves.push(NAMES[cell]);
  }
  return { moves, value: ["loss", "draw", "win"][1 + worth(board, 1 + (moves.length % 2))] };
}

// What one client alone is told of every game.
const { games } = JSON.parse((await ask("games")).text);
const boards = [];
for (const { name } of games) {
  const { game, moves } = JSON.parse((await ask(`rules?game=${name}`)).text);
  const path = `board?${new URLSearchParams({ game, moves })}`;
  boards.push([path, (await ask(path)).text]);
}
const NONSENSE = [
  ["board", "{"], ["board", "[]"], ["board", { game: "chess" }], ["board", { game: "tictactoe", moves: "a1 a1" }], ["jobs", { do: "solve" }],
  ["jobs", { do: "solve", game: "tictactoe", nodes: -1 }], ["jobs", { do: "analyze", game: "go:99x99" }], ["board", " ".repeat((1 << 20) + 1)],
];
const counts = { boards: 0, proofs: 0, "searches that found no place": 0, "requests without sense": 0 };

async function client(number, until) {
  let seed = number + 1;
  const random = (below) => ((seed = (seed * 48271) % 2147483647), seed % below);
  while (performance.now() < until) {
    const kind = random(10);
    if (kind < 5) {
      const [path, right] = boards[random(boards.length)];
      assert.equal((await ask(path)).text, right);
      counts.boards += 1;
    } else if (kind < 8) {
      const { moves, value } = position(random);
      const begun = await ask("jobs", { do: "solve", game: "tictactoe", moves, search: ["alphabeta", "pns", "mcts"][random(3)] });
      if (begun.status === 429) {
        counts["searches that found no place"] += 1;
        continue;
      }
      assert.equal(begun.status, 201, begun.text);
      const path = `jobs/${JSON.parse(begun.text).id}`;
      const events = await ask(`${path}/events`);
      // Who comes late finds that somebody else has got the place.
      if (events.status === 404) continue;
      assert.equal(JSON.parse(events.text.trim().split("data: ").at(-1)).value, value, `${moves}: ${events.text}`);
      await ask(path, undefined, "DELETE");
      counts.proofs += 1;
    } else {
      const [path, body] = NONSENSE[random(NONSENSE.length)];
      const { status, text } = await ask(path, body);
      assert.ok(status >= 400 && JSON.parse(text).error, text);
      counts["requests without sense"] += 1;
    }
  }
}

const [before, until] = [memory("VmRSS"), performance.now() + 1000 * Number(seconds)];
await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number, until)));
times.sort((a, b) => a - b);
const at = (share) => `${times[Math.floor(share * (times.length - 1))].toFixed(0)} ms`;
console.log(`${CLIENTS} clients for ${seconds} s: ${times.length} requests, all answers right`);
console.log(Object.entries(counts).map(([what, count]) => `${count} ${what}`).join(", "));
console.log(`statuses: ${[...statuses].sort().map(([status, count]) => `${status}: ${count}`).join(", ")}`);
console.log(`time to answer: median ${at(0.5)}, 99 % ${at(0.99)}, most ${at(1)}`);
console.log(`memory of the server: ${before.toFixed(0)} MiB before, ${memory("VmHWM").toFixed(0)} MiB at most`);

// More connections than there are places, each with half a request: after a while they have to leave.
const port = Number(new URL(address).port);
const halves = Array.from({ length: 300 }, () => connect(port, "127.0.0.1"));
for (const half of halves) half.on("error", () => undefined).write("POST /api/v1/board HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le");
const waits = performance.now();
// A connection of its own: those of before are still open.
const fresh = connect(port, "127.0.0.1");
fresh.write("GET /api/v1/hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
assert.match(await new Promise((found) => fresh.once("data", (data) => found(data.toString()))), /^HTTP\/1.1 200 /);
fresh.destroy();
console.log(`300 connections with half a request: the next one is answered after ${((performance.now() - waits) / 1000).toFixed(0)} s`);
halves.forEach((half) => half.destroy());

const slow = connect(port, "127.0.0.1");
slow.write("POST /api/v1/board HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
const told = await new Promise((found) => slow.once("data", (data) => found(data.toString())));
assert.match(told, /^HTTP\/1.1 408 /);
console.log("a body that does not come: 408");
slow.destroy();
server.kill("SIGTERM");
