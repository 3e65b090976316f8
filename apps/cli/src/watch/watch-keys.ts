import type { CommandId, SessionId } from '@signalbox/core';
import { type EditedText, editedText, editText, textOf } from '../screen/edit-text.ts';
import type { Key } from '../screen/keyboard.ts';
import type { Line } from '../screen/line.ts';
import { completeFilter, type FilterWords } from './complete-filter.ts';
import { type LaneFilter, parseFilter } from './lane-filter.ts';

/** What a person has chosen to see. */
export type WatchUi = Readonly<{
  selected: SessionId | null;
  cover: Cover;
  /** Rows that the cover is scrolled down. */
  scroll: number;
  typing: Readonly<{
    what: 'search' | 'filter';
    text: EditedText;
    problem: string | null;
    /** What the last term could become. */
    options: readonly string[];
  }> | null;
  filter: Readonly<{ text: string; terms: LaneFilter }>;
  search: string;
  confirm: Confirm | null;
  byNeed: boolean;
  /** The pane that has the screen for itself. */
  zoom: (typeof PANES)[number] | null;
  /** The picture stands still until Space is pressed again. */
  held: boolean;
}>;

const PANES = ['output', 'events', 'waits'] as const;

/** What lies over the lanes. */
export type Cover =
  | Readonly<{ kind: 'none' | 'help' | 'question' }>
  | Readonly<{ kind: 'text'; title: string; lines: readonly Line[] }>;

export type Confirm =
  | Readonly<{ kind: 'cancel'; id: CommandId }>
  | Readonly<{ kind: 'undo'; id: CommandId; paths: readonly string[] }>;

/** What keys may be about at this moment. */
export type KeyFacts = Readonly<{
  lanes: readonly SessionId[];
  /** Lanes in which the search stands. */
  found: readonly SessionId[];
  /** Of the selected lane: what is not done, and what ended last. */
  live: CommandId | null;
  last: CommandId | null;
  /** The open question, and whether the screen shows all of what would run. */
  question: Readonly<{ whole: boolean }> | null;
  /** A person types or confirms an answer. */
  answering: boolean;
  connected: boolean;
  words: FilterWords;
}>;

export type WatchEffect =
  | Readonly<{ kind: 'quit' }>
  /** For the one who asks. */
  | Readonly<{ kind: 'answer'; key: Key }>
  | Readonly<{ kind: 'open' | 'output' | 'cancel' | 'plan-undo' | 'copy'; id: CommandId }>
  | Readonly<{ kind: 'undo'; id: CommandId; paths: readonly string[] }>;

type Step = Readonly<{ ui: WatchUi; effect?: WatchEffect }>;

export function newWatchUi(filter: WatchUi['filter'] = { text: '', terms: [] }): WatchUi {
  return {
    selected: null,
    cover: { kind: 'none' },
    scroll: 0,
    typing: null,
    filter,
    search: '',
    confirm: null,
    byNeed: false,
    zoom: null,
    held: false,
  };
}

/** Keys, one by one: pure. */
export function pressWatchKey(ui: WatchUi, key: Key, facts: KeyFacts): Step {
  if (key.kind === 'named' && key.name === 'ctrl-c') return { ui, effect: { kind: 'quit' } };
  if (facts.answering) {
    const by = scrolledBy(key);
    return by === 0 ? { ui, effect: { kind: 'answer', key } } : { ui: scrolled(ui, by) };
  }
  if (ui.typing !== null) return pressWhileTyping(ui, ui.typing, key, facts);
  if (ui.confirm !== null) return pressToConfirm(ui, ui.confirm, key);
  if (ui.cover.kind !== 'none') return pressOnCover(ui, key, facts);
  return key.kind === 'named' ? pressNamed(ui, key.name, facts) : pressText(ui, key, facts);
}

/** Lays something over the lanes. */
export function covered(ui: WatchUi, cover: Cover): WatchUi {
  return { ...ui, cover, scroll: 0 };
}

function pressNamed(ui: WatchUi, name: string, facts: KeyFacts): Step {
  const id = facts.live ?? facts.last;
  if (name === 'up' || name === 'down') return { ui: moved(ui, facts, name === 'up' ? -1 : 1) };
  if (name === 'enter' && id !== null) return { ui, effect: { kind: 'open', id } };
  if (name === 'escape') return { ui: { ...ui, search: '', zoom: null } };
  if (name === 'tab' || name === 'right') return { ui: { ...ui, zoom: besidePane(ui.zoom, 1) } };
  if (name === 'left') return { ui: { ...ui, zoom: besidePane(ui.zoom, -1) } };
  return { ui };
}

function pressText(ui: WatchUi, key: Key & { readonly kind: 'text' }, facts: KeyFacts): Step {
  const { live, last } = facts;
  const id = live ?? last;
  switch (key.text) {
    case 'q':
      return { ui, effect: { kind: 'quit' } };
    case '?':
      return { ui: covered(ui, { kind: 'help' }) };
    case 'j':
      return { ui: moved(ui, facts, 1) };
    case 'k':
      return { ui: moved(ui, facts, -1) };
    case 'z':
      return { ui: { ...ui, zoom: ui.zoom === null ? 'output' : null } };
    case 's':
      return { ui: { ...ui, byNeed: !ui.byNeed } };
    case ' ':
      return { ui: { ...ui, held: !ui.held } };
    case '/':
      return {
        ui: { ...ui, typing: { what: 'search', text: editedText(ui.search), problem: null, options: [] } },
      };
    case 'f':
      return {
        ui: {
          ...ui,
          typing: { what: 'filter', text: editedText(ui.filter.text), problem: null, options: [] },
        },
      };
    case 'c':
      return live === null || !facts.connected
        ? { ui }
        : { ui: { ...ui, confirm: { kind: 'cancel', id: live } } };
    case 'u':
      return last === null || !facts.connected ? { ui } : { ui, effect: { kind: 'plan-undo', id: last } };
    case 'o':
      return id === null ? { ui } : { ui, effect: { kind: 'output', id } };
    case 'y':
      return id === null ? { ui } : { ui, effect: { kind: 'copy', id } };
    case 'n':
    case 'N':
      if (ui.search !== '') return { ui: movedToMatch(ui, facts, key.text === 'n' ? 1 : -1) };
      return { ui, effect: { kind: 'answer', key: { kind: 'named', name: 'escape' } } };
    case 'p':
      return { ui, effect: { kind: 'answer', key } };
    case 'a':
    case 'd':
    case 'm':
    case 'v':
    case 'r':
      return pressForQuestion(ui, key, facts);
    default:
      return { ui };
  }
}

/** All panes together stand between the last one and the first. */
function besidePane(pane: WatchUi['zoom'], by: 1 | -1): WatchUi['zoom'] {
  const around = [null, ...PANES];
  return around[(around.indexOf(pane) + by + around.length) % around.length] ?? null;
}

/** A call that the screen cut is shown in full before it can be approved. */
function pressForQuestion(ui: WatchUi, key: Key & { readonly kind: 'text' }, facts: KeyFacts): Step {
  if (facts.question === null || !facts.connected) return { ui };
  const withAll = covered(ui, { kind: 'question' });
  if (key.text === 'a' && facts.question.whole) return { ui, effect: { kind: 'answer', key } };
  if (key.text === 'a') return { ui: withAll };
  return { ui: withAll, effect: { kind: 'answer', key } };
}

function pressOnCover(ui: WatchUi, key: Key, facts: KeyFacts): Step {
  const by = scrolledBy(key);
  if (by !== 0) return { ui: scrolled(ui, by) };
  const isBack = key.kind === 'named' ? key.name === 'escape' : key.text === 'q';
  if (isBack || (ui.cover.kind === 'question' && facts.question === null)) {
    return { ui: covered(ui, { kind: 'none' }) };
  }
  if (ui.cover.kind === 'question') return facts.connected ? { ui, effect: { kind: 'answer', key } } : { ui };
  return key.kind === 'text' && key.text === '?' ? { ui: covered(ui, { kind: 'none' }) } : { ui };
}

function pressWhileTyping(
  ui: WatchUi,
  typing: NonNullable<WatchUi['typing']>,
  key: Key,
  { words }: KeyFacts,
): Step {
  if (key.kind === 'named' && key.name === 'escape') {
    return { ui: { ...ui, typing: null, ...(typing.what === 'search' ? { search: '' } : {}) } };
  }
  if (key.kind === 'named' && key.name === 'enter') return { ui: typedOut(ui, typing) };
  if (key.kind === 'named' && key.name === 'tab') {
    if (typing.what === 'search') return { ui };
    const { text, options } = completeFilter(textOf(typing.text), words);
    return { ui: { ...ui, typing: { ...typing, text: editedText(text), problem: null, options } } };
  }
  const text = editText(typing.text, key);
  const search = typing.what === 'search' ? textOf(text) : ui.search;
  return { ui: { ...ui, search, typing: { ...typing, text, problem: null, options: [] } } };
}

function typedOut(ui: WatchUi, typing: NonNullable<WatchUi['typing']>): WatchUi {
  const text = textOf(typing.text).trim();
  if (typing.what === 'search') return { ...ui, typing: null, search: text };
  const parsed = parseFilter(text);
  if (parsed.kind === 'mistake') return { ...ui, typing: { ...typing, problem: parsed.why } };
  return { ...ui, typing: null, filter: { text, terms: parsed.filter } };
}

function pressToConfirm(ui: WatchUi, confirm: Confirm, key: Key): Step {
  const next = { ...ui, confirm: null };
  const isYes = key.kind === 'text' && key.text.toLowerCase() === 'y';
  return isYes ? { ui: next, effect: confirm } : { ui: next };
}

function moved(ui: WatchUi, { lanes }: KeyFacts, by: 1 | -1): WatchUi {
  const at = lanes.findIndex((id) => id === ui.selected);
  const next = at < 0 ? (by > 0 ? 1 : 0) : at + by;
  return { ...ui, selected: lanes[Math.min(lanes.length - 1, Math.max(0, next))] ?? null };
}

function movedToMatch(ui: WatchUi, { lanes, found }: KeyFacts, by: 1 | -1): WatchUi {
  const at = lanes.findIndex((id) => id === ui.selected);
  const around = [...lanes.slice(at + 1), ...lanes.slice(0, at + 1)];
  const next = (by > 0 ? around : around.slice(0, -1).toReversed()).find((id) => found.includes(id));
  return next === undefined ? ui : { ...ui, selected: next };
}

function scrolledBy(key: Key): number {
  if (key.kind !== 'named') return 0;
  return key.name === 'down' ? 1 : key.name === 'up' ? -1 : 0;
}

function scrolled(ui: WatchUi, by: number): WatchUi {
  return { ...ui, scroll: Math.max(0, ui.scroll + by) };
}
