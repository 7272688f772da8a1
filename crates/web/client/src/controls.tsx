// Small parts that are used all over the page.

import type { ComponentChildren } from "preact";

const ICONS = {
  first: "M6 5v14M19 5l-9 7l9 7z",
  back: "M15 5l-8 7l8 7",
  forward: "M9 5l8 7l-8 7",
  last: "M18 5v14M5 5l9 7l-9 7z",
  undo: "M9 7L4 11.5L9 16M4.5 11.5H14a5.5 5.5 0 0 1 0 11h-2",
  flip: "M7 4v15M7 19l-3.5-3.5M7 19l3.5-3.5M17 20V5M17 5l-3.5 3.5M17 5l3.5 3.5",
  grid: "M4 9h16M4 15h16M9 4v16M15 4v16",
  plus: "M12 5v14M5 12h14",
  play: "M7 4.5l12 7.5l-12 7.5z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  sun: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M5 19l1.7-1.7M17.3 6.7L19 5",
  moon: "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10z",
  book: "M12 6c-2-1.5-5-2-8-1.5v13c3-.5 6 0 8 1.5c2-1.5 5-2 8-1.5v-13C17 4 14 4.500 12 6zM12 6v13",
  copy: "M9 9h10v11H9zM5 15V4h10",
  save: "M12 4v11M7.500 10.500L12 15l4.500-4.500M5 20h14",
  load: "M12 15V4M7.500 8.500L12 4l4.500 4.500M5 20h14",
  flag: "M6 21V4M6 4.500h12l-3 4l3 4H6",
  down: "M6 9l6 6l6-6",
  close: "M6 6l12 12M18 6L6 18",
};

export type IconName = keyof typeof ICONS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);

interface ButtonProps {
  icon?: IconName;
  label?: string;
  press: () => unknown;
  class?: string;
  disabled?: boolean;
  pressed?: boolean;
  children?: ComponentChildren;
}

export const Button = ({ icon, label, press, class: kind = "", disabled, pressed, children }: ButtonProps) => (
  <button
    type="button"
    class={`${kind} ${children === undefined ? "round" : ""}`}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={() => void press()}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

interface SelectProps {
  label: string;
  value: string;
  options: [string, string][];
  choose: (value: string) => void;
  hidden?: boolean;
}

export const Select = ({ label, value, options, choose, hidden }: SelectProps) => (
  <label class="field">
    <span class={hidden ? "unseen" : ""}>{label}</span>
    <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([of, text]) => (
        <option value={of} selected={of === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** A number with what it counts. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Where a number comes from. */
export const Source = ({ of }: { of: "rules" | "proof" | "search" | "guess" }) => (
  <span class={`source ${of}`} title={SOURCES[of]}>
    {of}
  </span>
);

const SOURCES = {
  rules: "follows from the rules",
  proof: "proven: certain whatever both players do",
  search: "counted by the search",
  guess: "an estimate of simulations, not proven",
};

/** Gives a file to whoever asked for it. */
export function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
