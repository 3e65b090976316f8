import { aCommandId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { type Key, type KeyName, parseKeys } from '../../terminal/keyboard.ts';
import { pressWatchKey } from './watch-keys.ts';
import { covered, type KeyFacts, newWatchUi, type WatchUi } from './frame/watch-ui.ts';

const FACTS: KeyFacts = {
  lanes: [aSessionId('a'), aSessionId('b'), aSessionId('c')],
  shown: aSessionId('a'),
  found: [aSessionId('c')],
  live: aCommandId('r1'),
  last: aCommandId('e1'),
  session: aSessionId('a'),
  question: { whole: true, full: false },
  scrollRange: { page: 10, max: 25 },
  answering: false,
  canAnswer: true,
  canOperate: true,
  canStart: true,
  words: { providers: ['openai'], tools: ['bash'] },
};

const text = (letter: string): Key => ({ kind: 'text', text: letter });
const typing = (what: string): Key[] => Array.from(what).map(text);
const named = (name: KeyName): Key => ({
  kind: 'named',
  name,
});

function pressed(keys: readonly Key[], facts = FACTS, ui: WatchUi = newWatchUi()) {
  return keys.reduce<ReturnType<typeof pressWatchKey>>((step, key) => pressWatchKey(step.ui, key, facts), {
    ui,
  });
}

test('a approves only what the screen shows in full', () => {
  expect(pressed([text('a')]).effect).toEqual({ kind: 'answer', key: text('a') });
  const cut = pressed([text('a')], { ...FACTS, question: { whole: false, full: false } });
  expect(cut.effect).toBeUndefined();
  expect(cut.ui.cover.kind).toBe('question');
  expect(pressed([text('a')], { ...FACTS, question: { whole: false, full: false } }, cut.ui).effect).toEqual({
    kind: 'answer',
    key: text('a'),
  });
});

test('number keys and t answer a question of a model, and no approval', () => {
  const asked = { ...FACTS, question: { whole: true, full: false, asksWords: true } };
  expect(pressed([text('2')], asked).effect).toEqual({ kind: 'answer', key: text('2') });
  const typed = pressed([text('t')], asked);
  expect(typed).toMatchObject({
    effect: { kind: 'answer', key: text('t') },
    ui: { cover: { kind: 'question' } },
  });
  const cut = pressed([text('2')], { ...asked, question: { ...asked.question, whole: false } });
  expect([cut.effect, cut.ui.cover.kind]).toEqual([undefined, 'question']);
  for (const key of ['2', 't']) {
    expect(pressed([text(key)])).toEqual({ ui: newWatchUi() });
    expect(pressed([text(key)], { ...asked, canAnswer: false })).toEqual({ ui: newWatchUi() });
  }
});

test('without a connection, and with a viewer’s token, nothing is decided, cancelled or undone', () => {
  const facts = { ...FACTS, canAnswer: false, canOperate: false };
  const overAll = covered(newWatchUi(), { kind: 'question' });
  for (const letter of ['a', 'd', 'm', 'r', '+', 'c', 'C', 'i', 'u']) {
    expect(pressed([text(letter)], facts)).toEqual({ ui: newWatchUi() });
    expect(pressed([text(letter)], facts, overAll)).toEqual({ ui: overAll });
  }
  expect(pressed([text('v')], facts).ui.cover.kind).toBe('question');
});

test('i says something to the session of the lane, also when another lane is selected meanwhile (S003-66)', () => {
  const typed = pressed([text('i'), ...typing('Mind the tabs')]);
  const elsewhere = { ...FACTS, shown: aSessionId('b'), session: aSessionId('b') };
  expect(pressWatchKey(typed.ui, named('enter'), elsewhere)).toMatchObject({
    ui: { typing: null },
    effect: { kind: 'say', id: aSessionId('a'), text: 'Mind the tabs', interrupts: false },
  });
  const now = pressed([text('i'), ...typing('! Stop'), named('enter')]);
  expect(now.effect).toMatchObject({ text: 'Stop', interrupts: true });
  expect(pressed([text('i'), named('enter')])).toEqual({ ui: newWatchUi() });
  expect(pressed([text('i')], { ...FACTS, session: null }).effect).toMatchObject({ kind: 'tell' });
});

test('C compresses the conversation of the lane’s session', () => {
  expect(pressed([text('C')]).effect).toEqual({ kind: 'compress', id: aSessionId('a') });
});

test.for([
  ['c', 'Nothing to cancel'],
  ['C', 'Nothing to compress'],
  ['u', 'Nothing to undo'],
] as const)('%s in a lane without a command or a session says so', ([key, why]) => {
  const { effect, ui } = pressed([text(key)], { ...FACTS, live: null, last: null, session: null });
  expect(effect).toEqual({ kind: 'tell', text: expect.stringContaining(`${why}: no `) as unknown });
  expect(ui).toEqual(newWatchUi());
});

test('a cancel prompts, and only y confirms', () => {
  const asked = pressed([text('c')]);
  expect(asked.ui.confirm).toEqual({ kind: 'cancel', id: aCommandId('r1') });
  expect(asked.effect).toBeUndefined();
  expect(pressed([text('c'), named('enter')]).effect).toBeUndefined();
  expect(pressed([text('c'), text('y')]).effect).toEqual({ kind: 'cancel', id: aCommandId('r1') });
});

test('while the user answers, letters go to the answer and q does not quit', () => {
  const { effect } = pressed([text('q')], { ...FACTS, answering: true });
  expect(effect).toEqual({ kind: 'answer', key: text('q') });
});

test('arrows move between lanes and stop at the ends', () => {
  expect(pressed([named('down')]).ui.selected).toBe(aSessionId('b'));
  expect(pressed([named('down'), named('down'), named('down')]).ui.selected).toBe(aSessionId('c'));
  expect(pressed([named('up')]).ui.selected).toBe(aSessionId('a'));
});

test('a search is typed, n goes to the next match, and Esc ends it', () => {
  const found = pressed([text('/'), text('z'), text('q'), named('enter')]);
  expect(found.ui).toMatchObject({ search: 'zq', typing: null });
  const next = pressed([text('n')], FACTS, found.ui);
  expect(next.ui.selected).toBe(aSessionId('c'));
  expect(pressed([named('escape')], FACTS, next.ui).ui.search).toBe('');
});

test('an invalid filter stays open for correction, with the reason', () => {
  const typed = Array.from('colour:red').map(text);
  const { ui } = pressed([text('f'), ...typed, named('enter')]);
  expect(ui.typing?.problem).toContain('unknown key "colour:"');
  expect(ui.filter.text).toBe('');
});

test('Esc and q close an overlay, and q on the lanes quits', () => {
  const help = covered(newWatchUi(), { kind: 'help' });
  expect(pressed([text('q')], FACTS, help)).toEqual({ ui: newWatchUi() });
  expect(pressed([named('escape')], FACTS, help)).toEqual({ ui: newWatchUi() });
  // Esc and the key after it, read together.
  expect(pressed([...parseKeys('\x1bj')], FACTS, help)).toEqual({ ui: newWatchUi() });
  expect(pressed([text('q')]).effect).toEqual({ kind: 'quit' });
});

test('Tab completes a filter being typed, and cycles through the panes otherwise', () => {
  const typed = pressed([text('f'), text('p'), text('r'), named('tab'), named('tab'), named('enter')]);
  expect(typed.ui.filter.text).toBe('provider:openai');
  const panes = [named('tab'), named('right'), named('right'), named('right')].map(
    (_, i, keys) => pressed(keys.slice(0, i + 1)).ui.zoom,
  );
  expect(panes).toEqual(['output', 'events', 'waits', null]);
  expect(pressed([named('left')]).ui.zoom).toBe('waits');
  expect([pressed([text('z')]).ui.zoom, pressed([text('z'), text('z')]).ui.zoom]).toEqual(['output', null]);
  expect(pressed([text('z'), named('escape')]).ui.zoom).toBeNull();
});

test('an overlay scrolls by rows, by pages and to its end, never beyond', () => {
  const open = covered(newWatchUi(), { kind: 'text', title: 'Output', lines: [] });
  const scrolled = (...keys: readonly Key[]) => pressed(keys, FACTS, open).ui.scroll;
  expect(scrolled(named('down'), named('page-down'))).toBe(11);
  expect(scrolled(text('G'), named('down'), named('up'))).toBe(24);
  expect(scrolled(named('page-down'), named('page-up'), named('up'))).toBe(0);
});

test('in the full view N postpones the approval too, and a second v returns to the lanes', () => {
  const shown = covered(newWatchUi(), { kind: 'question' });
  const later = { kind: 'answer', key: named('escape') };
  expect(pressed([text('N')], FACTS, shown).effect).toEqual(later);
  expect(pressed([text('v')], FACTS, shown).effect).toEqual({ kind: 'answer', key: text('v') });
  const full = { ...FACTS, question: { whole: true, full: true } };
  expect(pressed([text('v')], full, shown)).toEqual({ ui: newWatchUi() });
});

test('n prompts for a task and starts a session; empty input, Esc and a viewer start none', () => {
  const typed = pressed([text('n'), text('Fix it')]);
  expect(typed.ui.typing?.what).toBe('task');
  expect(pressed([named('enter')], FACTS, typed.ui).effect).toEqual({ kind: 'start', task: 'Fix it' });
  expect(pressed([text('n'), text(' '), named('enter')])).toEqual({ ui: newWatchUi() });
  expect(pressed([named('escape')], FACTS, typed.ui)).toEqual({ ui: newWatchUi() });
  expect(pressed([text('n')], { ...FACTS, canStart: false })).toEqual({ ui: newWatchUi() });
});

test('r opens the review, and remembers while an approval is open; R always opens the review', () => {
  expect(pressed([text('r')], { ...FACTS, question: null }).effect).toEqual({ kind: 'review' });
  expect(pressed([text('r')]).effect).toEqual({ kind: 'answer', key: text('r') });
  expect(pressed([text('R')]).effect).toEqual({ kind: 'review' });
});

test('N postpones an approval', () => {
  expect(pressed([text('N')]).effect).toEqual({ kind: 'answer', key: named('escape') });
});

test('+ gives the open approval more time, and stays on the lanes', () => {
  expect(pressed([text('+')])).toEqual({ ui: newWatchUi(), effect: { kind: 'answer', key: text('+') } });
  expect(pressed([text('+')], { ...FACTS, question: null })).toEqual({ ui: newWatchUi() });
});
