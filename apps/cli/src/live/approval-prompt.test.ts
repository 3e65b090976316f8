import type { Failure } from '@signalbox/core';
import { expect, test } from 'vitest';
import { textOf } from '../terminal/edit-text.ts';
import { parseKeys } from '../terminal/keyboard.ts';
import { anAskedCommand, aVerdict } from '../testing/records.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { promptView } from './prompt-view.ts';
import {
  GUARD_MS,
  lineJudged,
  openPrompt,
  pressKey,
  type PromptEffect,
  type PromptState,
  questionGone,
} from './approval-prompt.ts';

const warning = anAskedCommand('npm install zod@4', 'warning', {
  reasons: [{ level: 'warning', code: 'install', text: 'installs a package' }],
});
const dangerous = anAskedCommand('rm -rf dist', 'dangerous', { reasons: [] });

const ANA = { name: 'ana', channel: 'test' } as const;
const ALONE = { waiting: 1, me: ANA };

/** Keys typed in sequence, after the guard time. */
function press(
  state: PromptState,
  keys: string,
  { now = GUARD_MS }: Readonly<{ now?: number }> = {},
): { state: PromptState; effects: PromptEffect[] } {
  const effects: PromptEffect[] = [];
  let current = state;
  for (const key of parseKeys(keys)) {
    const step = pressKey(current, now, key);
    current = step.state;
    if (step.effect !== undefined) effects.push(step.effect);
  }
  return { state: current, effects };
}

test('keys of the first 0.4 s are discarded', () => {
  const opened = openPrompt(warning, 0);
  expect(press(opened, 'ad\r', { now: GUARD_MS - 1 })).toEqual({ state: opened, effects: [] });
  expect(press(opened, 'a', { now: GUARD_MS }).effects).toEqual([{ kind: 'approve' }]);
});

test('a dangerous call needs a second key, and any other key cancels the first', () => {
  const opened = openPrompt(dangerous, 0);
  expect(press(opened, 'a').effects).toEqual([]);
  expect(press(opened, 'a\r').effects).toEqual([{ kind: 'approve' }]);
  const back = press(opened, 'aa');
  expect(back.effects).toEqual([]);
  expect(back.state.at.step).toBe('asking');
});

test('a denial accepts one optional line (S003-37)', () => {
  const opened = openPrompt(warning, 0);
  expect(press(opened, 'duse the zod we have\r').effects).toEqual([
    { kind: 'deny', reason: 'use the zod we have' },
  ]);
  expect(press(opened, 'd\r').effects).toEqual([{ kind: 'deny', reason: '' }]);
  expect(press(opened, 'dno\x1b').state.at.step).toBe('asking');
});

test('Escape decides nothing, v shows everything, Ctrl-C interrupts even during the guard time (S003-37)', () => {
  const opened = openPrompt(warning, 0);
  expect(press(opened, '\x1b').effects).toEqual([{ kind: 'later' }]);
  expect(press(opened, 'v').effects).toEqual([{ kind: 'view' }]);
  expect(press(opened, '\x03', { now: 0 }).effects).toEqual([{ kind: 'interrupt' }]);
});

test('a blocked call can’t be approved', () => {
  const blocked = { ...warning, verdict: aVerdict('blocked', []) };
  expect(press(openPrompt(blocked, 0), 'a\r')).toMatchObject({ effects: [] });
});

test('a changed line is judged while it is typed, and approved only as judged (S003-37)', () => {
  const typed = press(openPrompt(dangerous, 0), 'm\x17srcx');
  expect(typed.effects.at(-1)).toEqual({ kind: 'judge', line: 'rm -rf srcx', now: false });
  const late = lineJudged(typed.state, 'rm -rf src', { judged: dangerous, final: false });
  expect(late).toBe(typed.state);

  const asked = press(typed.state, '\r');
  expect(asked.effects).toEqual([{ kind: 'judge', line: 'rm -rf srcx', now: true }]);
  const judged = lineJudged(asked.state, 'rm -rf srcx', {
    judged: { ...dangerous, verdict: aVerdict('warning', []) },
    final: true,
  });
  expect(press(judged, 'a').effects).toEqual([
    { kind: 'approve-changed', changed: { line: 'rm -rf srcx', shown: dangerous.approval?.callHash } },
  ]);
  const worse = lineJudged(asked.state, 'rm -rf srcx', { judged: dangerous, final: true });
  expect(press(worse, 'a').effects).toEqual([]);
  expect(press(worse, 'a\r').effects).toEqual([
    { kind: 'approve-changed', changed: { line: 'rm -rf srcx', shown: dangerous.approval?.callHash } },
  ]);
});

test('a changed line that is blocked or is not a valid call can’t be approved', () => {
  const failure: Failure = {
    code: 'path_not_allowed',
    category: 'PolicyBlocked',
    message: 'outside the workspace',
    visibility: 'visible',
  };
  const asked = press(openPrompt(dangerous, 0), 'm\x17..\r').state;
  for (const judged of [failure, { ...dangerous, verdict: aVerdict('blocked', []) }]) {
    const state = lineJudged(asked, 'rm -rf ..', { judged, final: true });
    expect(state.at.step).toBe('judged');
    expect(press(state, 'a\r').effects).toEqual([]);
    const again = press(state, 'e').state.at;
    expect(again.step === 'editing' ? textOf(again.text) : '').toBe('rm -rf ..');
  }
});

test('typing after the approval ended elsewhere answers nothing, until Esc acknowledges it', () => {
  expect(questionGone(openPrompt(warning, 0))).toBeNull();
  const typing = press(openPrompt(warning, 0), 'dI would r').state;
  const gone = questionGone(typing) ?? typing;
  expect(screenText(promptView(gone, ALONE, RENDER))).toContain('was answered, changed or expired');
  expect(press(gone, 'ather have a\ra')).toEqual({ state: gone, effects: [] });
  expect(press(gone, '\x1b').effects).toEqual([{ kind: 'leave' }]);
});

test('only shell lines of one row can be edited in place', () => {
  const write = { ...warning, call: { ...warning.call, args: { path: 'a.ts', content: 'x' } } };
  expect(press(openPrompt(write, 0), 'm').state.at.step).toBe('asking');
});

test('the prompt takes two rows, and shows the time left', () => {
  expect(screenText(promptView(openPrompt(dangerous, 0), { waiting: 3, me: ANA }, RENDER)))
    .toMatchInlineSnapshot(`
      " ! deepseek p9ze dangerous  bash rm -rf dist                   1 of 3  4:19 left
       [A]pprove  [D]eny  [M]odify  [V]iew  [+]5m  [?]  [Esc] later"
    `);
  const editing = press(openPrompt(dangerous, 0), 'm\x1b[D').state;
  expect(
    screenText(
      promptView(lineJudged(editing, 'rm -rf dist', { judged: dangerous, final: false }), ALONE, RENDER),
    ),
  ).toMatchInlineSnapshot(`
      "   rm -rf dist
         now dangerous
       Modify p9ze   ↵ re-check   Esc back"
    `);
  expect(
    screenText(promptView(press(openPrompt(dangerous, 0), 'a').state, ALONE, RENDER)),
  ).toMatchInlineSnapshot(`" Approve p9ze?  ↵ confirms, any other key goes back"`);
  expect(screenText(promptView(press(openPrompt(dangerous, 0), '?').state, ALONE, RENDER)))
    .toMatchInlineSnapshot(`
      " ! deepseek p9ze dangerous  bash rm -rf dist                           4:19 left
         a  run exactly what is shown        d  deny, with an optional reason
         m  edit the shell line first        v  view all details
         r  allow by a rule, shown first     Esc  decide later
         +  5 more minutes
       [A]pprove  [D]eny  [M]odify  [V]iew  [+]5m  [?]  [Esc] later"
    `);
});

test('an approver who has already approved a two-person call is offered no second approval', () => {
  const { approval } = warning;
  if (approval === null) throw new Error('nothing asked');
  const record = { ...warning, approval: { ...approval, approvers: 2, grants: [{ by: ANA, at: 0 }] } };
  const keys = (me: typeof ANA | { name: string; channel: 'cli' }) =>
    screenText(promptView(openPrompt(record, 0), { ...ALONE, me }, RENDER));
  expect(keys(ANA)).toContain('approved 1 of 2');
  expect(keys(ANA)).toContain('[A] you approved');
  expect(keys({ name: 'ben', channel: 'cli' })).toContain('[A]pprove');
});
