import { aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../../testing/screen-text.ts';
import type { Size } from './frame-data.ts';
import { laneList } from './lane-list.ts';
import { aFrame, anEvent, ofCommand, storyState } from '../testing/watch-story.ts';
import { watchFrame } from '../watch-frame.ts';
import { laneChoice, newWatchUi } from './watch-ui.ts';

const SMALL: Size = { width: 80, height: 23 };
const SIZES: readonly Size[] = [
  { width: 50, height: 23 },
  SMALL,
  { width: 120, height: 39 },
  { width: 200, height: 49 },
];

const session = (name: string) => ({ sessionId: aSessionId(name), provider: aProviderId(`bot-${name}`) });
const begins = (name: string, secondsAgo = 60) =>
  anEvent(secondsAgo, { type: 'session_started', ...session(name), model: 'm', task: 't' });
const ends = (name: string, finish: string) =>
  anEvent(30, { type: 'session_ended', ...session(name), finish, message: '', turns: 1, costUsd: null });

function shown(state: ReturnType<typeof storyState>, size = SMALL, ui = newWatchUi()): string {
  return screenText(watchFrame(aFrame({ state, ui }), size, RENDER), size.width);
}

const FINISHES = { f1: 'finished', f2: 'finished', t1: 'max_iterations', c1: 'cancelled', x1: 'failed' };
const MANY = storyState([
  ...Object.keys(FINISHES).map((name) => begins(name)),
  ...Object.entries(FINISHES).map(([name, finish]) => ends(name, finish)),
]);

test('while others work, ended sessions are one row on every screen (U-B10)', () => {
  for (const size of SIZES) {
    const text = shown(MANY, size);
    expect(text).toContain('5 ended (e): 2 finished, 1 out of turns, ');
    expect(text).not.toMatch(/✓ {2}bot-f1/);
    expect(text).toContain('deepseek');
  }
});

test('e shows ended sessions last, each with how it ended; so does a filter for them', () => {
  const ui = { ...newWatchUi(), showsEnded: true };
  const { lanes } = laneList(MANY, laneChoice(ui));
  expect(lanes.slice(-5).map(({ doing }) => doing.word)).toEqual([
    'finished',
    'finished',
    'out of turns',
    'stopped',
    'failed',
  ]);
  expect(shown(MANY, { width: 120, height: 39 }, ui)).not.toContain('max_iterations');
  const terms = [{ key: 'state', word: 'out', negated: false }] as const;
  expect(laneList(MANY, { ...laneChoice(ui), filter: terms, showsEnded: false }).lanes).toHaveLength(1);
});

test('when no session works any more, all ends are shown until the next run begins (U-B10)', () => {
  const over = storyState([
    ...['an', 'op', 'de'].map((name) => ends(name, 'finished')),
    ...['m2qd', 'k7f3', 'p9ze'].map((label, i) =>
      anEvent(1, {
        type: 'command_cancelled',
        ...ofCommand(label, { provider: ['anthropic', 'openai', 'deepseek'][i] ?? '', title: 'bash true' }),
        tool: 'bash',
        reason: 'r',
      }),
    ),
  ]);
  expect(laneList(over, laneChoice(newWatchUi())).lanes.map(({ doing }) => doing.word)).toEqual([
    'idle',
    'finished',
    'finished',
    'finished',
  ]);
  const next = storyState([...['an', 'op', 'de'].map((name) => ends(name, 'finished')), begins('n1', 2)]);
  expect(laneList(next, laneChoice(newWatchUi())).lanes.map(({ lane }) => lane.provider)).toEqual([
    'you',
    'bot-n1',
  ]);
});

test('the lanes can be sorted by how urgently they need a person', () => {
  const words = laneList(storyState(), { ...laneChoice(newWatchUi()), byNeed: true }).lanes.map(
    ({ doing }) => doing.word,
  );
  expect(words).toEqual(['asks', 'waits', 'runs', 'idle']);
});

test('a lane with a pending approval comes first, and the selection stays with the one that prints', () => {
  expect(shown(MANY).split('\n').slice(2, 4)).toEqual([
    expect.stringMatching(/^ ! {2}deepseek /),
    expect.stringMatching(/^▸⚡ anthropic /),
  ]);
});

test('the last words of a model are below its lane, in two rows', () => {
  const says = 'First I read the tests.\nThen I look at the cart.\nAnd now I write what is missing there.';
  const state = storyState([
    begins('s1'),
    anEvent(1, {
      type: 'turn_ended',
      ...session('s1'),
      turn: 1,
      says,
      calls: 0,
      usage: {
        inputTokens: 0,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
      },
      costUsd: null,
    }),
  ]);
  const text = shown(state, { width: 120, height: 39 });
  expect(text).toMatch(/bot-s1 +thinking/);
  expect(text).toContain('Then I look at the cart.');
  expect(text).toContain('And now I write what is missing there.');
  expect(text).not.toContain('First I read');
  // Next to others there is space only for the last words.
  expect(shown(state, { width: 200, height: 49 })).toContain('And now I write what is');
});

test('a rejected stale write is counted apart from failures (S003-B5)', () => {
  const failed = (label: string, outcome: string) => {
    const of = { ...ofCommand(label, { provider: 'openai', title: 'write_file a.ts' }), tool: 'write_file' };
    const why = { outcome, reason: 'r', message: 'm', exitCode: null };
    return [
      anEvent(1, { type: 'command_submitted', ...of }),
      anEvent(1, { type: 'command_failed', ...of, ...why }),
    ];
  };
  const events = [failed('w1', 'conflict'), failed('w2', 'conflict'), failed('w3', 'failed')].flat();
  const text = shown(storyState(events), {
    width: 120,
    height: 39,
  });
  expect(text).toContain('1 done  1 failed  2 stale');
});

test('if the selected lane has printed nothing, the open approval gets its space (120x40)', () => {
  const state = storyState();
  const text = shown({ ...state, outputs: new Map() }, { width: 120, height: 39 });
  expect(text).toContain('Approval in detail');
  expect(text).not.toContain('o shows its output');
});

test('a lane whose command ended before the start shows its model’s last words, and how to see the output', () => {
  const of = ofCommand('m2qd', { provider: 'anthropic', title: 'run_tests' });
  const events = [
    anEvent(2, { type: 'command_completed', ...of, tool: 'run_tests', exitCode: 0 }),
    anEvent(1, {
      type: 'turn_ended',
      sessionId: of.sessionId,
      provider: of.provider,
      turn: 13,
      says: 'All three tests pass now.',
      calls: 0,
      usage: {
        inputTokens: 0,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
      },
      costUsd: 0,
      durationMs: 1,
    }),
  ];
  const state = { ...storyState(events), outputs: new Map() };
  for (const width of [80, 120]) {
    const text = screenText(
      watchFrame(
        aFrame({ state, question: null, ui: { ...newWatchUi(), selected: of.sessionId } }),
        { width, height: 39 },
        RENDER,
      ),
      width,
    );
    expect(text).toMatch(
      /Output m2qd .*run_tests[^]*\(finished; o shows its output\)[^]*All three tests pass now\./,
    );
  }
});
