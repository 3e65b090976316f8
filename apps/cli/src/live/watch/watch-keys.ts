import { editedText, editText, textOf } from '../../terminal/edit-text.ts';
import type { Key, KeyName } from '../../terminal/keyboard.ts';
import { messageOf } from '../run/message-prompt.ts';
import { completeFilter } from './frame/complete-filter.ts';
import { parseFilter } from './frame/lane-filter.ts';
import {
  type Confirm,
  covered,
  type KeyFacts,
  PANES,
  type WatchEffect,
  type WatchUi,
} from './frame/watch-ui.ts';

type Step = Readonly<{ ui: WatchUi; effect?: WatchEffect }>;

/** The prompter's key for postponing. */
const LATER: Key = { kind: 'named', name: 'escape' };

/** Handles one key. Pure. */
export function pressWatchKey(ui: WatchUi, key: Key, facts: KeyFacts): Step {
  if (key.kind === 'named' && key.name === 'ctrl-c') return { ui, effect: { kind: 'quit' } };
  if (facts.answering) {
    const scroll = scrolledTo(ui.scroll, key, facts.scrollRange);
    return scroll === null ? { ui, effect: { kind: 'answer', key } } : { ui: { ...ui, scroll } };
  }
  if (ui.typing !== null) return pressWhileTyping(ui, ui.typing, { key, keyFacts: facts });
  if (ui.confirm !== null) return pressToConfirm(ui, ui.confirm, key);
  if (ui.cover.kind !== 'none') return pressOnCover(ui, key, facts);
  return key.kind === 'named' ? pressNamed(ui, key.name, facts) : pressText(ui, key, facts);
}

function pressNamed(ui: WatchUi, name: string, facts: KeyFacts): Step {
  const id = facts.live ?? facts.last;
  if (name === 'up' || name === 'down') return { ui: moved(ui, name === 'up' ? -1 : 1, facts) };
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
      return { ui: moved(ui, 1, facts) };
    case 'k':
      return { ui: moved(ui, -1, facts) };
    case 'z':
      return { ui: { ...ui, zoom: ui.zoom === null ? 'output' : null } };
    case 's':
      // The most urgent lane should be visible.
      return { ui: { ...ui, byNeed: !ui.byNeed, ...(ui.byNeed ? {} : { selected: null }) } };
    case 'e':
      return { ui: { ...ui, showsEnded: !ui.showsEnded } };
    case ' ':
      return { ui: { ...ui, held: !ui.held } };
    case '/':
      return { ui: typingOf(ui, 'search', { text: ui.search }) };
    case 'f':
      return { ui: typingOf(ui, 'filter', { text: ui.filter.text }) };
    case 'c':
    case 'C':
    case 'i':
    case 'u':
      return facts.canOperate ? pressToOperate(ui, key.text, facts) : { ui };
    case 'o':
      return id === null ? { ui } : { ui, effect: { kind: 'output', id } };
    case 'y':
      return id === null ? { ui } : { ui, effect: { kind: 'copy', id } };
    case 'n':
      if (ui.search !== '') return { ui: movedToMatch(ui, 1, facts) };
      return { ui: facts.canStart ? typingOf(ui, 'task', { text: '' }) : ui };
    case 'N':
      if (ui.search !== '') return { ui: movedToMatch(ui, -1, facts) };
      return { ui, effect: { kind: 'answer', key: LATER } };
    case 'R':
      return { ui, effect: { kind: 'review' } };
    case 'p':
      return { ui, effect: { kind: 'answer', key } };
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case 't':
      return facts.question?.asksWords === true ? pressForQuestion(ui, key, facts) : { ui };
    case 'a':
    case 'd':
    case 'm':
    case 'v':
    case '+':
      return pressForQuestion(ui, key, facts);
    case 'r':
      return facts.question === null ? { ui, effect: { kind: 'review' } } : pressForQuestion(ui, key, facts);
    default:
      return { ui };
  }
}

/** A key that finds nothing to do says so. */
function pressToOperate(ui: WatchUi, key: 'c' | 'C' | 'i' | 'u', { live, last, session }: KeyFacts): Step {
  const nothing = (text: string): Step => ({ ui, effect: { kind: 'tell', text } });
  switch (key) {
    case 'c':
      if (live === null) return nothing('Nothing to cancel: no command of this lane runs or waits');
      return { ui: { ...ui, confirm: { kind: 'cancel', id: live } } };
    case 'C':
      if (session === null) return nothing('Nothing to compress: no session of a model runs in this lane');
      return { ui, effect: { kind: 'compress', id: session } };
    case 'i':
      if (session === null) return nothing('Nobody to talk to: no session of a model runs in this lane');
      return { ui: typingOf(ui, 'message', { text: '', to: session }) };
    case 'u':
      if (last === null) return nothing('Nothing to undo: no command of this lane has ended');
      return { ui, effect: { kind: 'plan-undo', id: last } };
  }
}

/** All panes together are between the last one and the first. */
function besidePane(pane: WatchUi['zoom'], by: 1 | -1): WatchUi['zoom'] {
  const around = [null, ...PANES];
  return around[(around.indexOf(pane) + by + around.length) % around.length] ?? null;
}

/** A call cut by the screen is shown in full before it can be approved. */
function pressForQuestion(ui: WatchUi, key: Key & { readonly kind: 'text' }, facts: KeyFacts): Step {
  if (facts.question === null || !counts(key, facts)) return { ui };
  const withAll = covered(ui, { kind: 'question' });
  const isShort = key.text === 'a' || /^[1-6]$/.test(key.text);
  const needsNoMore = key.text === '+' || (isShort && facts.question.whole);
  if (needsNoMore) return { ui, effect: { kind: 'answer', key } };
  if (isShort) return { ui: withAll };
  return { ui: withAll, effect: { kind: 'answer', key } };
}

function pressOnCover(ui: WatchUi, key: Key, facts: KeyFacts): Step {
  const scroll = scrolledTo(ui.scroll, key, facts.scrollRange);
  if (scroll !== null) return { ui: { ...ui, scroll } };
  const isQuestion = ui.cover.kind === 'question';
  // Esc also closes if the next key was read with it: on an overlay Alt has no other meaning.
  const isBack = key.kind === 'named' ? key.name === 'escape' || key.name === 'alt' : key.text === 'q';
  if (isBack || (isQuestion && facts.question === null)) return { ui: covered(ui, { kind: 'none' }) };
  if (isQuestion) return pressOnQuestion(ui, key, facts);
  if (key.kind !== 'text') return { ui };
  if (key.text === 'G') return { ui: { ...ui, scroll: facts.scrollRange.max } };
  return key.text === '?' ? { ui: covered(ui, { kind: 'none' }) } : { ui };
}

/** Viewers may only look. */
function counts(key: Key, { canAnswer }: KeyFacts): boolean {
  return canAnswer || (key.kind === 'text' && key.text === 'v');
}

function pressOnQuestion(ui: WatchUi, key: Key, facts: KeyFacts): Step {
  if (key.kind === 'text' && key.text === 'v' && facts.question?.full === true) {
    return { ui: covered(ui, { kind: 'none' }) };
  }
  if (!counts(key, facts)) return { ui };
  return { ui, effect: { kind: 'answer', key: key.kind === 'text' && key.text === 'N' ? LATER : key } };
}

function pressWhileTyping(
  ui: WatchUi,
  typing: NonNullable<WatchUi['typing']>,
  { key, keyFacts: { words } }: Readonly<{ key: Key; keyFacts: KeyFacts }>,
): Step {
  if (key.kind === 'named' && key.name === 'escape') {
    return { ui: { ...ui, typing: null, ...(typing.what === 'search' ? { search: '' } : {}) } };
  }
  if (key.kind === 'named' && key.name === 'enter') return typedOut(ui, typing);
  if (key.kind === 'named' && key.name === 'tab') {
    if (typing.what !== 'filter') return { ui };
    const { text, options } = completeFilter(textOf(typing.text), words);
    return { ui: { ...ui, typing: { ...typing, text: editedText(text), problem: null, options } } };
  }
  const text = editText(typing.text, key);
  const search = typing.what === 'search' ? textOf(text) : ui.search;
  return { ui: { ...ui, search, typing: { ...typing, text, problem: null, options: [] } } };
}

function typingOf(
  ui: WatchUi,
  what: NonNullable<WatchUi['typing']>['what'],
  { text, ...of }: Readonly<{ text: string; to?: string }>,
): WatchUi {
  return { ...ui, typing: { what, text: editedText(text), problem: null, options: [], ...of } };
}

function typedOut(ui: WatchUi, typing: NonNullable<WatchUi['typing']>): Step {
  const text = textOf(typing.text).trim();
  const next = { ...ui, typing: null };
  switch (typing.what) {
    case 'search':
      return { ui: { ...next, search: text } };
    case 'task':
      return text === '' ? { ui: next } : { ui: next, effect: { kind: 'start', task: text } };
    case 'message': {
      const message = messageOf(text);
      if (message.text === '' || typing.to === undefined) return { ui: next };
      return { ui: next, effect: { kind: 'say', id: typing.to, ...message } };
    }
    case 'filter': {
      const parsed = parseFilter(text);
      if (parsed.kind === 'mistake') return { ui: { ...ui, typing: { ...typing, problem: parsed.why } } };
      return { ui: { ...next, filter: { text, terms: parsed.filter } } };
    }
  }
}

function pressToConfirm(ui: WatchUi, confirm: Confirm, key: Key): Step {
  const next = { ...ui, confirm: null };
  const isYes = key.kind === 'text' && key.text.toLowerCase() === 'y';
  return isYes ? { ui: next, effect: confirm } : { ui: next };
}

function moved(ui: WatchUi, by: 1 | -1, { lanes, shown }: KeyFacts): WatchUi {
  const chosen = lanes.findIndex((id) => id === ui.selected);
  const next = (chosen < 0 ? lanes.findIndex((id) => id === shown) : chosen) + by;
  return { ...ui, selected: lanes[Math.min(lanes.length - 1, Math.max(0, next))] ?? null };
}

function movedToMatch(ui: WatchUi, by: 1 | -1, { lanes, found }: KeyFacts): WatchUi {
  const at = lanes.findIndex((id) => id === ui.selected);
  const around = [...lanes.slice(at + 1), ...lanes.slice(0, at + 1)];
  const next = (by > 0 ? around : around.slice(0, -1).toReversed()).find((id) => found.includes(id));
  return next === undefined ? ui : { ...ui, selected: next };
}

/** The new scroll offset; null if the key does not scroll. */
function scrolledTo(scroll: number, key: Key, { page, max }: KeyFacts['scrollRange']): number | null {
  if (key.kind !== 'named') return null;
  const by: Partial<Record<KeyName, number>> = {
    up: -1,
    down: 1,
    'page-up': -page,
    'page-down': page,
  };
  const step = by[key.name];
  return step === undefined ? null : Math.max(0, Math.min(max, scroll + step));
}
