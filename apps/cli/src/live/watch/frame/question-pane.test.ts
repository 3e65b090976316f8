import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../../testing/screen-text.ts';
import type { Size } from './frame-data.ts';
import { aFrame, anEvent, ofCommand, storyQuestion, storyState } from '../testing/watch-story.ts';
import { isQuestionWhole, watchFrame } from '../watch-frame.ts';
import { covered, newWatchUi } from './watch-ui.ts';

const SMALL: Size = { width: 80, height: 23 };

function shown(data = aFrame()): string {
  return screenText(watchFrame(data, SMALL, RENDER), SMALL.width);
}

test('of several approvals one is open, and the number is shown; without one it says how to answer', () => {
  const asks = ofCommand('q2aa', { provider: 'you', title: 'bash rm -rf dist' });
  const submitted = anEvent(1, { type: 'command_submitted', ...asks, tool: 'bash' });
  const second = anEvent(1, {
    type: 'approval_requested',
    ...asks,
    level: 'dangerous',
    reason: 'deletes',
    callHash: 'a'.repeat(64),
    expiresAt: RENDER.now + 60_000,
    approvers: 1,
  });
  const state = storyState([submitted, second]);
  expect(shown(aFrame({ state }))).toContain('── Approval 1 of 2 ──');
  const unopened = shown(aFrame({ state, question: null }));
  expect(unopened).toContain('── Approvals 2 ──');
  expect(unopened).toContain('signalbox approve shows and answers them');
  expect(shown(aFrame({ state, question: null, later: 2 }))).toContain('p shows the ones you left for later');
});

test('only keys that apply to the call are shown below it', () => {
  const text = shown(aFrame({ question: { ...storyQuestion(), preview: null, record: dangerousWrite() } }));
  expect(text).toContain('wants to write a file');
  expect(text).toMatch(/ a approve {2}d deny {2}v view {2}N later {2}\+ 5 min\n/);
});

function dangerousWrite() {
  const { record } = storyQuestion();
  const call = { callId: 'c', tool: 'write_file', args: { path: 'a.ts', content: 'x' } };
  return { ...record, call, verdict: { level: 'dangerous', reasons: [], effects: [] } as never };
}

test('N is offered for postponing, except while it goes to the previous search match', () => {
  const searching = { ...newWatchUi(), search: 'cart' };
  expect(shown()).toContain('  N later');
  expect(shown(aFrame({ ui: searching }))).not.toContain('N later');
  const help = shown(aFrame({ ui: covered(newWatchUi(), { kind: 'help' }) }));
  expect(help).toMatch(/ Decide .*\+ 5 min\n +N later {3}p approvals left for later\n/);
});

test('a call cut by the screen is not offered for direct approval', () => {
  const long = storyQuestion(`echo ${'x '.repeat(300)}`);
  expect(isQuestionWhole(storyQuestion(), SMALL, RENDER)).toBe(true);
  expect(isQuestionWhole(storyQuestion(), { width: 80, height: 12 }, RENDER)).toBe(false);
  expect(isQuestionWhole(long, SMALL, RENDER)).toBe(false);
  const text = shown(aFrame({ question: long }));
  expect(text).toMatch(/a shows it in full \(\d+ more rows\)/);
});

test('the full-screen approval scrolls to its last row', () => {
  const question = storyQuestion(`echo ${'x '.repeat(3000)}end`);
  const ui = { ...covered(newWatchUi(), { kind: 'question' }), scroll: 10_000 };
  expect(shown(aFrame({ question, ui }))).toMatch(/Rule|Covers/);
});

test('a two-person approval shows who approved, and offers them no second approval', () => {
  const { record, ...others } = storyQuestion();
  const ana = { by: { name: 'ana', channel: 'http' }, at: RENDER.now, callHash: record.approval?.callHash };
  const approval = { ...record.approval, approvers: 2, grants: [ana] };
  const asked = { ...others, record: { ...record, approval } as never };
  expect(shown(aFrame({ question: asked }))).toMatch(/1 of 2: ana {2}warning\n/);
  expect(shown(aFrame({ question: asked }))).not.toContain('a approve');
});

test('a viewer is told what answering requires', () => {
  const state = { ...storyState(), you: { name: 'vera', role: 'viewer' } };
  const text = shown(aFrame({ state }));
  expect(text).toContain('Read only: answering needs an approver token');
  expect(text).not.toMatch(/a approve|c cancel/);
});

test('the help omits keys that don’t apply to the open approval', () => {
  const ui = covered(newWatchUi(), { kind: 'help' });
  expect(shown(aFrame({ ui }))).toContain('v view   r remember   + 5 min');
  expect(shown(aFrame({ ui, question: null }))).toContain('v view   r remember   + 5 min');
  const asked = aFrame().question;
  if (asked === null) throw new Error('no question');
  const record = { ...asked.record, verdict: { ...asked.record.verdict, level: 'dangerous' } as never };
  expect(shown(aFrame({ ui, question: { ...asked, record } }))).toContain('v view   + 5 min');
});

test('without output the approval’s reasons are shown there, without repeating its call', () => {
  const { state } = aFrame();
  const quiet = { ...state, outputs: new Map() };
  for (const size of [SMALL, { width: 120, height: 39 }]) {
    const text = screenText(watchFrame(aFrame({ state: quiet }), size, RENDER), size.width);
    expect(text).toContain('Approval in detail');
    expect(text).toContain('Touches ');
    // The lane, the pane and the event, but not the reasons.
    expect(text.split('npm install zod@4')).toHaveLength(4);
    expect(text).not.toContain('WARNING');
  }
  // Events get the remaining rows.
  expect(shown(aFrame({ state: quiet })).match(/^ {2}12:04:/gm)).toHaveLength(4);
});
