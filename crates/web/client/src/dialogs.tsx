// The choice of a game, and the rules of one.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { BoardView } from "./board";
import { Icon } from "./controls";
import { Markdown } from "./markdown";
import { begin, boardOf, family, game, games, say, transport } from "./state";
import type { Board, GameInfo, Rules } from "./types";

export const shown = signal<"games" | "rules" | null>(null);
const rules = signal<Rules | null>(null);
const pictures = signal(new Map<string, Board>());

const close = () => (shown.value = null);

/** The picture of a game: a position of its rules that shows how it goes. */
async function draw(info: GameInfo) {
  if (pictures.value.has(info.name)) return;
  try {
    const of = await transport.rules(info.name);
    const board = await boardOf({ game: info.example, moves: of.moves.split(" ").filter(Boolean) });
    pictures.value = new Map(pictures.value).set(info.name, board);
  } catch (error) {
    say(error);
  }
}

export async function openRules() {
  shown.value = "rules";
  try {
    rules.value = await transport.rules(family.value);
    const info = games.value.find((info) => info.name === family.value);
    if (info) await draw(info);
  } catch (error) {
    say(error);
  }
}

function Dialog({ title, children, wide }: { title: string; children: ComponentChildren; wide?: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "wide" : ""}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === element.current && close()}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="round quiet" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

export const Dialogs = () =>
  shown.value === "games" ? <Games /> : shown.value === "rules" ? <RulesOf /> : null;

const TITLES: Record<string, string> = {
  tictactoe: "Tic-tac-toe",
  mnk: "K in a row",
  connect4: "Connect Four",
  y: "Y",
  domineering: "Domineering",
  nogo: "NoGo",
  seki: "Seki",
  pentalath: "Pentalath",
  go: "Go",
  amazons: "Amazons",
  breakthrough: "Breakthrough",
  loa: "Lines of Action",
  checkers: "Checkers",
  cannon: "Cannon",
  "chinese-checkers": "Chinese Checkers",
  written: "A written tree",
};

/** What a game is called in plain words. */
export const titleOf = (name: string) => TITLES[name.split(":")[0] ?? ""] ?? name;

function Games() {
  useEffect(() => {
    games.value.forEach((info) => void draw(info));
  }, []);
  return (
    <Dialog title="Games" wide>
      <ul class="game-list">
        {games.value.map((info) => (
          <li key={info.name} class={info.name === family.value ? "here" : ""}>
            <Card info={info} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Card({ info }: { info: GameInfo }) {
  const picture = pictures.value.get(info.name);
  const choose = (name: string) => {
    close();
    void begin(name);
  };
  const own = info.name === family.value ? game.value : info.standard;
  const boards = info.boards.includes(own) ? info.boards : [own, ...info.boards];
  return (
    <>
      <button type="button" class="card" onClick={() => choose(own)}>
        <span class="thumb" aria-hidden="true">
          {picture && <BoardView board={picture} flip={false} labels={false} name={info.name} />}
        </span>
        <span class="title">{titleOf(info.name)}</span>
        <span class="about">{info.rules}</span>
      </button>
      {(boards.length > 1 || info.parameters) && (
        <form
          class="size"
          onSubmit={(event) => {
            event.preventDefault();
            choose(new FormData(event.currentTarget).get("board") as string);
          }}
        >
          <input name="board" list={`boards-${info.name}`} value={own} aria-label={`Board of ${titleOf(info.name)}`} title={info.parameters} spellcheck={false} />
          <datalist id={`boards-${info.name}`}>
            {boards.map((board) => (
              <option value={board} />
            ))}
          </datalist>
          <button type="submit">Play</button>
        </form>
      )}
    </>
  );
}

function RulesOf() {
  const text = rules.value;
  const picture = pictures.value.get(family.value);
  return (
    <Dialog title={titleOf(family.value)}>
      <div class="rules">
        {picture && (
          <div class="picture" aria-hidden="true">
            <BoardView board={picture} flip={false} labels name="An example" />
          </div>
        )}
        {text && text.name === family.value && <Markdown text={text.full_rules} />}
      </div>
    </Dialog>
  );
}
