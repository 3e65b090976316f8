import { expect, test } from 'vitest';
import type { SessionView } from '@signalbox/api';
import type { CommandSummary } from '@signalbox/api';
import { aSummary } from '../workspace/testing/a-summary.ts';
import { diagramOf } from './diagram-model.ts';
import { laneWords } from './state-words.ts';

function diagram(
  summaries: readonly CommandSummary[],
  idle: readonly string[] = [],
  more: {
    sessions?: readonly SessionView[];
    now?: number;
    order?: readonly string[];
    withEnded?: boolean;
  } = {},
) {
  const { sessions = [], now = 1000, ...options } = more;
  const panel = {
    commands: new Map(summaries.map((summary) => [summary.id, summary])),
    providers: [...new Set(summaries.map(({ provider }) => provider)), ...idle],
    sessions: new Map(sessions.map((session) => [session.id, session])),
    tasks: new Map([
      ['ses_1', 'Release 2.4.0'],
      ['ses_2', null],
    ]),
  };
  return diagramOf({ panel, now, windowMs: 120_000, width: 500, selected: null, filter: null, ...options });
}

test('a lane shows the task of its latest call’s session, and nothing of an earlier one', () => {
  const first = aSummary({ id: 'first', sessionId: 'ses_1' });
  const same = aSummary({ id: 'same', sessionId: 'ses_1' });
  const other = aSummary({ id: 'other', sessionId: 'ses_2' });
  expect(diagram([first, same]).lanes[0]?.task).toBe('Release 2.4.0');
  expect(diagram([first, same, other]).lanes[0]?.task).toBe('3 calls');
});

test('lanes are roomy until nine of them are drawn, however many providers have never called', () => {
  const of = (lanes: number): readonly CommandSummary[] =>
    Array.from({ length: lanes }, (_, at) => aSummary({ id: `t${at}`, provider: `agent-${at}` }));
  const heights = [8, 9].map((lanes) => diagram(of(lanes), ['never-1', 'never-2']).lanes[0]?.height);
  expect(heights).toEqual([92, 56]);
});

function aSession(
  given: Omit<Partial<SessionView>, 'id' | 'provider'> & Readonly<{ id: string; provider: string }>,
): SessionView {
  return {
    model: 'scripted',
    task: 'Repair it',
    state: 'running',
    turns: 1,
    calls: 1,
    usage: {
      inputTokens: 0,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    },
    costUsd: null,
    says: '',
    startedAt: 0,
    endedAt: null,
    finish: null,
    message: null,
    ...given,
  } as SessionView;
}

const MIXED: readonly CommandSummary[] = [
  aSummary({ id: 'runs', provider: 'runs', state: 'running', startedAt: 1 }),
  aSummary({ id: 'waits', provider: 'waits', state: 'queued', queuedAt: 900_000 }),
  aSummary({ id: 'waits-longer', provider: 'waits-longer', state: 'queued', queuedAt: 800_000 }),
  aSummary({ id: 'failed', provider: 'failed', state: 'done', outcome: 'failed', endedAt: 990_000 }),
  aSummary({ id: 'over', provider: 'over', state: 'done', outcome: 'completed', endedAt: 500_000 }),
  aSummary({ id: 'asks', provider: 'asks', state: 'awaiting_approval', askedAt: 5 }),
];
const OVER = aSession({
  id: 'ses_o',
  provider: 'over',
  state: 'ended',
  finish: 'finished',
  endedAt: 600_000,
});

test('pending approvals come first, then failures, the longest wait, and work; ended sessions are one line (U-B10)', () => {
  const { lanes, ended } = diagram(MIXED, [], { sessions: [OVER], now: 1_000_000 });
  expect(lanes.map(({ provider }) => provider)).toEqual(['asks', 'failed', 'waits-longer', 'waits', 'runs']);
  expect(ended).toEqual(['over']);
  const whole = diagram(MIXED, [], { sessions: [OVER], now: 1_000_000, withEnded: true });
  expect(whole.lanes.map(({ provider }) => provider)).toContain('over');
});

test('no lane changes its place while the pointer is over them, and new ones come last', () => {
  const order = ['runs', 'waits', 'asks'];
  const { lanes } = diagram(MIXED, [], { sessions: [OVER], now: 1_000_000, order });
  expect(lanes.map(({ provider }) => provider)).toEqual([...order, 'failed', 'waits-longer']);
});

test('a run that has just ended stays visible, each session with how it ended', () => {
  const ended = ['a', 'b'].map((id) =>
    aSummary({ id, provider: id, state: 'done', outcome: 'completed', endedAt: 900 }),
  );
  const sessions = [
    aSession({
      id: 'ses_a',
      provider: 'a',
      state: 'ended',
      finish: 'finished',
      endedAt: 950,
      says: 'All is well.',
    }),
    aSession({ id: 'ses_b', provider: 'b', state: 'ended', finish: 'max_iterations', endedAt: 950 }),
  ];
  const { lanes } = diagram(ended, [], { sessions });
  const around = { commands: new Map(), limits: { maxConcurrent: 3, maxWaitMs: 1, leaseTtlMs: 1 } };
  const words = lanes.map(({ first, status }) => laneWords(first, status, { around, now: 1000 }));
  expect(words.map((one) => [one?.title, one?.lines[0]])).toEqual([
    ['Finished', 'All is well.'],
    ['Out of turns', expect.stringMatching(/^Last: .*npm test.*, completed$/)],
  ]);
});

test('a session without a command is thinking, and its lane quotes the model’s last words', () => {
  const done = aSummary({ provider: 'a', state: 'done', outcome: 'completed', endedAt: 900 });
  const session = aSession({ id: 'ses_a', provider: 'a', says: 'I read it.\nNow I\u202e fix it.' });
  const [lane] = diagram([done], [], { sessions: [session] }).lanes;
  const around = { commands: new Map(), limits: { maxConcurrent: 3, maxWaitMs: 1, leaseTtlMs: 1 } };
  expect(laneWords(lane?.first ?? null, lane?.status ?? { kind: 'idle' }, { around, now: 1000 })).toEqual({
    tone: 'idle',
    title: 'Thinking',
    since: 900,
    lines: ['Now I<U+202E> fix it.'],
  });
});

test('a session that has given its answer waits for the check of its run, and is not thinking', () => {
  const rests = aSession({ id: 'ses_a', provider: 'a', says: 'Done.', isResting: true, since: 950 });
  const around = { commands: new Map(), limits: { maxConcurrent: 3, maxWaitMs: 1, leaseTtlMs: 1 } };
  const words = laneWords(null, { kind: 'thinking', session: rests }, { around, now: 1000 });
  expect(words).toEqual({ tone: 'idle', title: 'Waits for the check', since: 950, lines: ['Done.'] });
});
