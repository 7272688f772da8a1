// The part of Markdown that the rules of games are written in: headings, paragraphs, lists, code.

import type { ComponentChildren } from "preact";

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]*`)/).map((part) => (part.startsWith("`") ? <code>{part.slice(1, -1)}</code> : part));
}

export function Markdown({ text }: { text: string }) {
  const blocks: ComponentChildren[] = [];
  let list: string[] = [];
  let words: string[] = [];
  let code: string[] = [];
  const flush = () => {
    if (words.length) blocks.push(<p>{inline(words.join(" "))}</p>);
    if (list.length) blocks.push(<ul>{list.map((item) => <li>{inline(item)}</li>)}</ul>);
    if (code.length) blocks.push(<pre tabIndex={0}>{code.join("\n")}</pre>);
    [words, list, code] = [[], [], []];
  };
  for (const row of text.split("\n")) {
    if (row.startsWith("## ")) {
      flush();
      blocks.push(<h3>{row.slice(3)}</h3>);
    } else if (row.startsWith("    ")) {
      if (!code.length) flush();
      code.push(row.slice(4));
    } else if (row.startsWith("- ")) {
      if (!list.length) flush();
      list.push(row.slice(2));
    } else if (row.trim() === "") flush();
    else if (list.length) list.push(`${list.pop()} ${row.trim()}`);
    else {
      if (code.length) flush();
      words.push(row.trim());
    }
  }
  flush();
  return <div class="markdown">{blocks}</div>;
}
