// What a store has: its experiments, and the papers' tables beside the printed figures, with their plots.

import { signal } from "@preact/signals";
import { Button, Source } from "../controls";
import { hello, say, transport } from "../state";
import type { Experiment, Kept as Shown, PaperTable } from "../types";
import { seconds } from "../values";

const kept = signal<Shown | null>(null);

async function read() {
  try {
    kept.value = await transport.results();
  } catch (error) {
    say(error);
  }
}

export function Kept() {
  if (!hello.value) return null;
  const shown = kept.value;
  return (
    <section class="kept" aria-label="Results of experiments">
      <h2>Results of experiments</h2>
      {hello.value.results ? (
        <div class="row">
          <Button icon="load" press={read}>{shown ? "Read again" : "Show the store"}</Button>
          <Source of="search" />
        </div>
      ) : (
        <p class="hint">
          <code>proofplay serve --store FILE</code> shows what <code>match</code>, <code>solve</code> and <code>reproduce</code> have stored.
        </p>
      )}
      {shown && (shown.experiments.length ? <Experiments all={shown.experiments} /> : <p class="hint">This store has no experiments yet.</p>)}
      {shown?.tables.map((table) => <Table key={table.table} table={table} />)}
    </section>
  );
}

function Experiments({ all }: { all: Experiment[] }) {
  return (
    <div class="scroll" role="region" tabIndex={0} aria-label="Experiments">
      <table>
        <thead>
          <tr>
            <th scope="col">Experiment</th>
            <th scope="col" class="number">Result</th>
            <th scope="col" class="number">Trials</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.experiment}>
              <td>
                <span class="ply-number">{one.experiment}.</span> <strong>{one.kind}</strong> {one.game}
                <br />
                {one.what}
              </td>
              <td class="result" title={`begun ${one.begun}, ${seconds(one.seconds)}`}>
                {resultOf(one)}
                {one.low !== null && one.high !== null && (
                  <>
                    <br />
                    <small>
                      {figure(one, one.low)} … {figure(one, one.high)}
                    </small>
                  </>
                )}
              </td>
              <td class="number">{one.trials}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isShare = (one: Experiment) => one.unit === "score";
const figure = (one: Experiment, value: number) => (isShare(one) ? `${(100 * value).toFixed(1)} %` : String(Math.round(value)));

function resultOf(one: Experiment) {
  const proven = one.winner && (one.winner === "draw" ? "a draw" : `${one.winner} wins`);
  const counted = one.result === null ? "" : `${figure(one, one.result)}${isShare(one) ? "" : ` ${one.unit}`}`;
  return proven ? `${proven}, ${counted}` : counted || "–";
}

function Table({ table }: { table: PaperTable }) {
  return (
    <details>
      <summary>
        <strong>{table.title}</strong> <span class="hint">{table.source}: {table.summary}</span>
      </summary>
      <p class="pv"><code>{table.command}</code></p>
      {table.plots.map((plot) => (
        <img src={`data:image/svg+xml,${encodeURIComponent(plot)}`} alt={`Plot of ${table.title}; the table below has its figures`} />
      ))}
      <div class="scroll" role="region" tabIndex={0} aria-label={table.title}>
        <table>
          <thead>
            <tr>
              {table.heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr>
                {row.map((text) => (
                  <td>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
