// What a person does, done in a real browser. `node run.js PROGRAM [PICTURES]` starts `PROGRAM serve`, plays, proves,
// reviews, and writes a picture of each view into a folder if one is named. The path of the browser is in CHROMIUM.
// With GAMES=1 it plays a whole game of each kind instead, on a laptop and on a phone.

import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { games } from "./games.js";
import { tests } from "./tests.js";

const [program, pictures] = process.argv.slice(2);
if (!program) throw new Error("usage: node run.js PROGRAM [PICTURES]");

// A store with a solve, and with figures of a paper's table that are in git.
const folder = mkdtempSync(join(tmpdir(), "proofplay-page-"));
const store = join(folder, "results.db");
copyFileSync(new URL("../../../results/pp-3.jsonl", import.meta.url), join(folder, "pp-3.jsonl"));
execFileSync(program, ["results", "import", "--from", folder, "--store", store]);
execFileSync(program, ["solve", "connect4:4x4", "--store", store]);

const server = spawn(program, ["serve", "--memory", "512MiB", "--store", store], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((found, failed) => {
  server.once("exit", () => failed(new Error("the server has ended")));
  createInterface({ input: server.stdout }).once("line", found);
});

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [...flags, "--disable-component-update", "--disable-sync"],
});
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LAPTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** What may move by itself while somebody looks, as the share of the window that Chromium counts: next to nothing. */
const MOST_SHIFT = 0.02;
let failed = 0;

/** A page at an address; whatever the browser complains about is a failure. */
async function open(query, { phone = false, dark = false } = {}) {
  const context = await browser.newContext({ ...(phone ? PHONE : LAPTOP), colorScheme: dark ? "dark" : "light", bypassCSP: false });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60_000));
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("requestfailed", (request) => !request.url().startsWith(address) && page.complaints.push(request.url()));
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) =>
      list.getEntries().forEach((shift) => {
        // Lists that are in the order of visits change it while they are looked at.
        const isOrder = shift.sources.every(({ node }) => node?.closest?.(".tree, .thoughts-table"));
        if (!shift.hadRecentInput && !isOrder) window.shifts.push([shift.value, ...shift.sources.map(({ node }) => `${node?.nodeName} ${node?.className?.baseVal ?? node?.className}`)]);
      }),
    ).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${address}?${query}`);
  await page.waitForSelector("svg.board");
  return page;
}

const tools = {
  address,
  open,
  /** Accessibility: WCAG 2, levels A and AA. */
  async accessible(page) {
    const found = await page.evaluate(
      `(() => { const module = undefined, exports = undefined; ${axe}; return axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }); })()`,
    );
    const told = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).slice(0, 3).join("; ")}`);
    if (told.length) throw new Error(`axe: ${told.join("\n     ")}`);
  },
  async picture(page, name) {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, animations: "disabled" });
  },
  /** Clicks a cell as a person does. */
  async cell(page, name) {
    const at = await page.locator(`[data-name="${name}"]`).boundingBox();
    await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2);
  },
  async close(page) {
    const shifts = await page.evaluate(() => window.shifts);
    const moved = shifts.reduce((sum, [value]) => sum + value, 0);
    if (moved > MOST_SHIFT) page.complaints.push(`the layout shifts by ${moved.toFixed(3)}: ${JSON.stringify(shifts)}`);
    await page.context().close();
    if (page.complaints.length) throw new Error(`the browser complains: ${page.complaints.join("; ")}`);
  },
};

const only = process.env.ONLY;
for (const [name, test] of Object.entries(process.env.GAMES ? games : tests)) {
  if (only && !name.includes(only)) continue;
  const begun = Date.now();
  try {
    await test(tools);
    console.log(`ok      ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}
await browser.close();
server.kill("SIGTERM");
await new Promise((ended) => (server.exitCode === null ? server.once("exit", ended) : ended()));
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
