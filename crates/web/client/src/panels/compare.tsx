// Two searches prove the same position with the same seed, side by side.

import { effect, signal, untracked } from "@preact/signals";
import { Button, Select, Source } from "../controls";
import { Kept } from "./kept";
import { over, task } from "../engine";
import { Search } from "../search";
import { board, game, searches } from "../state";
import type { Solved } from "../types";
import { bytes, proven, seconds, short, signed } from "../values";

const pair = [
  { name: signal("alphabeta"), search: new Search<Solved>() },
  { name: signal("score-bounded"), search: new Search<Solved>() },
] as const;

effect(() => {
  game.value;
  untracked(() => pair.forEach(({ search }) => search.close()));
});

function start() {
  for (const { name, search } of pair) {
    search.close();
    void search.ask({ ...task("solve"), search: name.value, time: "60s" });
  }
}

export function Compare() {
  const works = pair.some(({ search }) => search.works.value);
  const told = pair.map(({ search }) => search.told.value);
  const most = Math.max(1, ...told.map((one) => one?.nodes ?? 0));
  const options = searches.value.filter(({ name }) => name !== "auto").map((kind): [string, string] => [kind.name, kind.name]);
  const rows: [string, (one: Solved) => string, "proof" | "search"][] = [
    ["Value", (one) => (one.to_move && proven(one.bounds, one.to_move, one.scale)) ?? "open", "proof"],
    ["Bounds", (one) => `${signed(one.bounds[0])} … ${signed(one.bounds[1])}`, "proof"],
    ["Best move", (one) => one.best_move ?? "–", "proof"],
    ["Nodes", (one) => short(one.nodes), "search"],
    ["Simulations", (one) => (one.simulations ? short(one.simulations) : "–"), "search"],
    ["Time", (one) => seconds(one.elapsed_s), "search"],
    ["Memory", (one) => bytes(one.memory_bytes), "search"],
    ["Ended", (one) => one.ended ?? "works", "search"],
  ];
  return (
    <section class="panel" aria-label="Compare">
      <div class="row two">
        {pair.map(({ name, search }, i) => (
          <Select
            label={i ? "Second search" : "First search"}
            hidden
            value={name.value}
            options={options}
            choose={(value) => {
              search.close();
              name.value = value;
            }}
          />
        ))}
      </div>
      <div class="row">
        <Button icon={works ? "stop" : "play"} class="primary" disabled={over.value} press={() => (works ? pair.forEach(({ search }) => void search.stop()) : start())}>
          {works ? "Stop both" : "Race to a proof"}
        </Button>
      </div>
      <p class="verdict">Both begin with nothing, on the same position of {board.value?.game}, with one thread and a minute each.</p>
      {told.some(Boolean) && (
        <table class="plain compare">
          <thead>
            <tr>
              <td />
              {pair.map(({ name }) => (
                <th scope="col">{name.value}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, of, source], i) => (
              <tr>
                <th scope="row">
                  {label} {source !== rows[i - 1]?.[2] && <Source of={source} />}
                </th>
                {told.map((one) => (
                  <td>{one ? of(one) : "–"}</td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">Nodes, to scale</th>
              {told.map((one) => (
                <td>
                  <i class="share" style={{ width: `${(100 * (one?.nodes ?? 0)) / most}%` }} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
      <Kept />
    </section>
  );
}
