// A whole game of each kind against the engine, on a laptop and on a phone: the person clicks any legal move, reloads the
// page on the way, and goes on. `GAMES=1 node run.js PROGRAM` runs these.

import assert from "node:assert/strict";

/** Boards on which a game is over soon. */
const BOARDS = {
  mnk: "mnk:4x4k3",
  connect4: "connect4:5x5",
  y: "y:4",
  domineering: "domineering:5x5",
  nogo: "nogo:4x4",
  seki: "seki:2,3",
  pentalath: "pentalath:3",
  go: "go:4x4",
  amazons: "amazons:5x5",
  breakthrough: "breakthrough:5x5",
  loa: "loa:5x5",
  checkers: "checkers:6x6,rows=2",
  "chinese-checkers": "chinese-checkers:1",
};
/** Who moves at random may move for ever where positions repeat: after so many moves the person resigns. */
const MOST_MOVES = 120;
const NAMES = [
  ...["tictactoe", "mnk", "connect4", "y", "domineering", "nogo", "seki", "pentalath"],
  ...["go", "amazons", "breakthrough", "loa", "checkers", "cannon", "chinese-checkers", "written"],
];

const words = (page) => new URL(page.url()).searchParams;
const line = (page) => (words(page).get("moves") ?? "").split(" ").filter(Boolean);

async function play({ open, close, picture, address }, name, phone) {
  const { games } = await (await fetch(`${address}api/v1/games`)).json();
  assert.equal(games.length, NAMES.length);
  const game = BOARDS[name] ?? games.find((one) => one.name === name).standard;
  const page = await open(`game=${encodeURIComponent(game)}&level=gentle&engine=mcts&seed=3`, { phone, dark: phone });
  const press = (spot) => (phone ? spot.tap() : spot.click());
  const boardNow = async () =>
    (await fetch(`${address}api/v1/board?${new URLSearchParams({ game, moves: line(page).join(" ") })}`)).json();
  let random = 7;
  let made = 0;
  for (; made < MOST_MOVES; made += 1) {
    // The engine moves by itself: then the board waits for the person, or it is nobody's turn.
    await page.waitForFunction(() => document.querySelector("svg.board.live") || !document.querySelector(".player.turn"));
    const board = await boardNow();
    if (board.outcome !== null) break;
    random = (random * 48271) % 2147483647;
    const move = board.moves[random % board.moves.length];
    const before = page.url();
    if (move.cells.length) {
      for (const cell of move.cells) {
        await press(page.locator(`[data-cell="${cell}"]`));
        if (page.url() !== before) break;
      }
      // Where the cells mean several moves, the person says which.
      const which = page.locator(".choices").getByRole("button", { name: `Play ${move.move}`, exact: true });
      if (page.url() === before && (await which.count())) await press(which);
    } else await press(page.locator(".gap").getByRole("button", { name: move.move === "pass" ? "Pass" : `Play ${move.move}`, exact: true }));
    await page.waitForFunction((before) => location.href !== before, before);
    assert.ok(line(page).join(" ").startsWith([...board.plies.map((ply) => ply.move), move.move].join(" ")), `${name}: ${move.move} became ${line(page)}`);
    if (made === 1) {
      await page.reload();
      await page.waitForSelector("svg.board");
    }
  }
  const states = page.locator(".player .state");
  if (made === MOST_MOVES) {
    await page.getByRole("button", { name: "Resign" }).click();
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".player.won"));
    assert.match((await states.allInnerTexts()).join(), /has resigned/);
  } else {
    const { outcome, plies } = await boardNow();
    assert.match((await states.allInnerTexts()).join(), outcome === "draw" ? /a draw/ : /has won/, `${name} after ${plies.length}`);
  }
  await picture(page, `${name}-${phone ? "phone" : "laptop"}`);
  await close(page);
}

export const games = Object.fromEntries(
  NAMES.flatMap((name) => [false, true].map((phone) => [`${name}, ${phone ? "phone" : "laptop"}`, (tools) => play(tools, name, phone)])),
);
