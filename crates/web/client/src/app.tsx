// The page: the board with its players on the left, what belongs to it on the right.

import { computed, effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { BoardView } from "./board";
import { Button, Icon, Source } from "./controls";
import { Dialogs, openRules, shown as dialog, titleOf } from "./dialogs";
import { engineMoves, over, thinker, who } from "./engine";
import { Patterns } from "./interval";
import { Marks, thoughtMarks, valueMarks } from "./overlay";
import { Analyse, analysis } from "./panels/analyse";
import { Compare } from "./panels/compare";
import { Play } from "./panels/play";
import { proof, Prove } from "./panels/prove";
import { Review } from "./panels/review";
import { Tree } from "./panels/tree";
import { refutation } from "./refute";
import {
  back,
  begin,
  board,
  boardOf,
  coordinates,
  family,
  flipped,
  forward,
  game,
  isCurrent,
  line,
  place,
  play,
  preview,
  resigned,
  say,
  start,
  type Tab,
  tab,
  TABS,
  theme,
  toEnd,
  toStart,
  trouble,
  undo,
} from "./state";
import type { Board, Side } from "./types";

/** The board of a line of play that is only looked at. */
const ahead = signal<Board | null>(null);
effect(() => {
  const moves = preview.value;
  if (!moves.length) {
    ahead.value = null;
    return;
  }
  const wanted = { ...line.peek(), moves: [...line.peek().moves, ...moves] };
  boardOf(wanted)
    .then((found) => preview.value === moves && (ahead.value = found))
    .catch(() => undefined);
});

/** Nothing is shown before there is a board, so that nothing has to make room for it. */
const hasBegun = signal(false);
effect(() => {
  if (board.value || trouble.value) hasBegun.value = true;
});

const personMoves = computed(() => {
  const side = board.value?.to_move;
  if (!isCurrent.value || side == null || over.value) return false;
  const now = refutation.value;
  if (now) return side !== now.winner && !now.plays;
  return !engineMoves.value;
});

const PANELS: Record<Tab, () => JSX.Element> = {
  play: Play,
  analyse: Analyse,
  prove: Prove,
  tree: Tree,
  review: Review,
  compare: Compare,
};

/** Games in which the player who begins sits at the top. */
const FIRST_ABOVE = new Set(["chinese-checkers"]);

export function App() {
  const Panel = PANELS[tab.value];
  const above = flipped.value === FIRST_ABOVE.has(family.value) ? "second" : "first";
  return (
    <>
      <Patterns />
      <header class="top">
        <a class="brand" href="/" aria-label="proofplay, a new page">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" class="brand-ground" />
            <circle cx="13" cy="13" r="6.5" class="brand-stone" />
            <path d="M9.5 21.5l4.6 4.2 8.6-10.4" class="brand-check" />
          </svg>
          <span>proofplay</span>
        </a>
        <button type="button" class="game-choice" onClick={() => (dialog.value = "games")}>
          <strong>{titleOf(family.value)}</strong>
          <span class="board-name">{game.value}</span>
          <Icon name="down" />
        </button>
        <Button icon="book" label="Rules" class="quiet" press={openRules} />
        <Button
          icon={theme.value === "dark" ? "sun" : "moon"}
          label={theme.value === "dark" ? "Light colours" : "Dark colours"}
          class="quiet"
          press={() => {
            const isDark = theme.value === "dark" || (theme.value === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
            theme.value = isDark ? "light" : "dark";
          }}
        />
      </header>
      {hasBegun.value && <main>
        <div class="table">
          <Player side={above} />
          <Table />
          <Player side={above === "first" ? "second" : "first"} />
          <Bar />
        </div>
        <div class="desk">
          <div class="tabs" role="tablist" aria-label="What to do" onKeyDown={turn}>
            {TABS.map(([name, label]) => (
              <button
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-selected={tab.value === name}
                aria-controls="desk"
                tabIndex={tab.value === name ? 0 : -1}
                onClick={() => (tab.value = name)}
              >
                {label}
              </button>
            ))}
          </div>
          <div id="desk" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
            <Panel />
          </div>
        </div>
      </main>}
      <div class="trouble" role="alert">
        {trouble.value && (
          <p>
            {trouble.value}
            <button type="button" class="round quiet" aria-label="Close" onClick={() => (trouble.value = null)}>
              <Icon name="close" />
            </button>
          </p>
        )}
      </div>
      <Dialogs />
    </>
  );
}

function turn(event: KeyboardEvent) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = TABS.findIndex(([name]) => name === tab.value);
  tab.value = TABS[(at + step + TABS.length) % TABS.length]![0];
  document.getElementById(`tab-${tab.value}`)?.focus();
  event.stopPropagation();
}

function Table() {
  const now = board.value;
  if (!now) return <div class="board-frame waiting">{trouble.value ? "" : "…"}</div>;
  const looked = ahead.value ?? now;
  const proofMarks = tab.value === "prove" && proof.value ? valueMarks(now, proof.value) : [];
  const showsAnalysis = (tab.value === "analyse" || tab.value === "tree") && analysis.value;
  const marks = ahead.value ? [] : showsAnalysis ? thoughtMarks(now, analysis.value!) : proofMarks;
  return (
    <div class={`table-top ${ahead.value ? "looking" : ""}`}>
      <BoardView
        board={looked}
        flip={flipped.value}
        labels={coordinates.value}
        name={`Board of ${titleOf(family.value)}, ${now.to_move ? `${now.sides[now.to_move === "first" ? 0 : 1]} to move` : "the game is over"}`}
        choose={personMoves.value && !ahead.value ? (move) => void play(move) : undefined}
      >
        {(layout) => <Marks marks={marks} layout={layout} />}
      </BoardView>
      {now.picture.notes.length > 0 && (
        <div class="notes">
          {now.picture.notes.map((note) => (
            <p>{note}</p>
          ))}
        </div>
      )}
    </div>
  );
}

function Player({ side }: { side: Side }) {
  const now = board.value;
  const name = now?.sides[side === "first" ? 0 : 1] ?? side;
  const isTurn = now?.to_move === side && resigned.value === null;
  const thinks = isTurn && engineMoves.value && thinker.works.value;
  const won = resigned.value !== null ? resigned.value !== side : now?.outcome === side;
  const points = Math.abs(now?.score ?? 0);
  const result =
    resigned.value === side
      ? "has resigned"
      : resigned.value !== null
        ? "wins by resignation"
        : won
          ? `has won${points > 1 ? ` by ${points} points` : ""}`
          : now?.outcome === "draw"
            ? "a draw"
            : "";
  return (
    <div class={`player ${side} ${isTurn ? "turn" : ""} ${won ? "won" : ""}`} aria-live="polite">
      <i class="swatch" data-game={family.value} data-name={name.toLowerCase()} />
      <strong>{name}</strong>
      <span class="who">{who(side)}</span>
      <span class="state">
        {result ? <>{result} {resigned.value === null && <Source of="rules" />}</> : thinks ? "thinks…" : isTurn ? "to move" : ""}
      </span>
    </div>
  );
}

function Bar() {
  const atStart = place.value.parent === null;
  const atEnd = place.value.next === null;
  const passes = personMoves.value ? (board.value?.moves.filter((move) => !move.cells.length) ?? []) : [];
  return (
      <div class="bar" role="toolbar" aria-label="Moves and board">
        <Button icon="first" label="To the start" press={toStart} disabled={atStart} />
        <Button icon="back" label="One move back" press={() => back()} disabled={atStart} />
        <Button icon="forward" label="One move forward" press={() => forward()} disabled={atEnd} />
        <Button icon="last" label="To the last move" press={toEnd} disabled={atEnd} />
        <span class="gap">
          {passes.map((move) => (
            <button type="button" onClick={() => void play(move.move)}>
              {move.move === "pass" ? "Pass" : `Play ${move.move}`}
            </button>
          ))}
        </span>
        <Button icon="undo" label="Take back" press={undo} disabled={atStart && resigned.value === null} />
        <Button icon="plus" label="New game" press={() => begin(game.value, start.value)} />
        <Button icon="flip" label="Turn the board" press={() => (flipped.value = !flipped.value)} pressed={flipped.value} />
        <Button icon="grid" label="Coordinates" press={() => (coordinates.value = !coordinates.value)} pressed={coordinates.value} />
      </div>
  );
}

/** Arrow keys walk through the game wherever nothing else needs them. */
export function keys(event: KeyboardEvent) {
  const target = event.target as HTMLElement;
  if (target.closest("input, textarea, select, dialog, [role=tablist]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const act: Record<string, () => unknown> = {
    ArrowLeft: back,
    ArrowRight: forward,
    Home: toStart,
    End: toEnd,
    f: () => (flipped.value = !flipped.value),
    u: undo,
  };
  const found = act[event.key];
  if (found) {
    event.preventDefault();
    Promise.resolve(found()).catch(say);
  }
}
