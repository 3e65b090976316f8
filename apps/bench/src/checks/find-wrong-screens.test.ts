import type { CommandSummary } from '@signalbox/api';
import { pathResource, writeClaim } from '@signalbox/core';
import { expect, test } from 'vitest';
import { emptyTrace, type Trace } from '../evidence/trace.ts';
import type { FollowedCommand, LastScreens, ScreenSample } from '../monitor/monitor-record.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { findWrongEvents } from './find-wrong-events.ts';
import { findWrongScreens } from './find-wrong-screens.ts';
import { findWrongTotals } from './find-wrong-totals.ts';

// One command, sent at 1 s, at work from 2 s to 4 s, answered at 5 s.

const at = (seconds: number) => ({ order: null, atUs: seconds * 1_000_000 });
const planned = (key: number): PlannedCommand =>
  ({ key, agent: 3, work: 'write', path: 'a.txt', scope: 'file' }) as PlannedCommand;
const trace: Trace = {
  ...emptyTrace(7),
  submitted: at(1),
  starts: [at(2)],
  ended: at(4),
  answers: [{ moment: at(5), outcome: 'completed', commandId: 'cmd_a' }],
};
const holding = new Map([['cmd_a', [writeClaim(pathResource('a.txt'))]]]);

function screens(seconds: number, sample: Partial<ScreenSample>): readonly string[] {
  const taken = { fromUs: at(seconds).atUs, toUs: at(seconds).atUs, commands: new Map(), leases: holding };
  return findWrongScreens({ samples: [{ ...taken, ...sample }] }, [trace], planned).map(({ says }) => says);
}

test('a screen must show a working command as running, with its lease, and none before it was sent or after its answer', () => {
  const running = new Map([['cmd_a', 'running' as const]]);
  const queued = new Map([['cmd_a', 'queued' as const]]);
  expect(screens(3, { commands: running })).toEqual([]);
  expect(screens(3, { commands: queued })).toEqual(['#7 worked, and was shown queued']);
  expect(screens(3, {})).toEqual(['#7 worked, and was shown nowhere']);
  expect(screens(3, { commands: running, leases: new Map() })).toEqual([
    '#7 worked, and no lease was shown on write path:a.txt',
  ]);
  // Between its answer and its call, and while it starts or ends, several states are true.
  expect([1.5, 4.5].flatMap((seconds) => screens(seconds, { commands: queued }))).toEqual([]);
  expect(screens(6, { commands: running })).toEqual(['#7 was shown running after its answer']);
  expect(screens(6, { commands: new Map([['cmd_a', 'done']]) })).toEqual([]);
  expect(screens(0.5, { commands: queued })).toEqual(['#7 was shown before it was sent']);
  expect(screens(6, { commands: new Map([['cmd_b', 'done']]) })).toEqual([
    'cmd_b was shown, and no agent sent it',
  ]);
});

const summary = { state: 'done', outcome: 'completed', submittedAt: 1000, endedAt: 4500 } as CommandSummary;
const followed: FollowedCommand = { summary, firstStartedAt: 1900, submissions: 1, endings: 1 };

function events(change: Partial<FollowedCommand>, gaps = 0): readonly string[] {
  const commands = new Map([['cmd_a', { ...followed, ...change }]]);
  return findWrongEvents({ commands, gaps }, [trace]).map(({ says }) => says);
}

test('the events of a command must report one submission, one end with its outcome, and times that fit the evidence', () => {
  const told = (change: Partial<CommandSummary>) => ({ summary: { ...summary, ...change } });
  expect(events({})).toEqual([]);
  expect(events({ submissions: 2 })).toEqual(['#7 was submitted 2 times by its events']);
  expect(events({ endings: 0 })).toEqual(['#7 ended 0 times by its events']);
  expect(events(told({ outcome: 'failed' }))).toEqual(['#7 ended completed, and by its events failed']);
  expect(events({ firstStartedAt: null })).toEqual(['#7 started, and no event says so']);
  expect(events(told({ submittedAt: 500 }))).toEqual(['#7 was submitted before it was sent, by its events']);
  expect(events({ firstStartedAt: 2500 })).toEqual(['#7 worked before it started, by its events']);
  expect(events(told({ endedAt: 3500 }))).toEqual(['#7 worked after it had ended, by its events']);
  expect(events(told({ endedAt: 5500 }))).toEqual(['#7 was answered before it ended, by its events']);
  expect(events({ endings: 0 }, 1)).toEqual([]);
  expect(findWrongEvents({ commands: new Map(), gaps: 0 }, [trace])).toMatchObject([
    { says: '#7 has no event' },
  ]);
  const unsent = findWrongEvents({ commands: new Map([['cmd_b', followed]]), gaps: 0 }, []);
  expect(unsent).toMatchObject([{ says: 'cmd_b has events, and no agent sent it' }]);
});

const row = { provider: 'agent-3', commands: 1, completed: 1, failed: 0, denied: 0, cancelled: 0 };
const counts = { running: 0, waiting: 0, approvals: 0, done: 1, failed: 0, lost: 0, denied: 0, stale: 0 };
const final = {
  followed: { commands: new Map([['cmd_a', summary]]), ended: { done: 1, failed: 0, stale: 0 } },
  opened: new Map([['cmd_a', summary]]),
  stats: { providers: [row] },
  status: { counts },
  isCaughtUp: true,
} as unknown as LastScreens;

test('totals, and screens that followed every event, must match the results', () => {
  const totals = (change: object): readonly string[] =>
    findWrongTotals({ ...final, ...change }, [trace], planned).map(({ says }) => says);
  expect(totals({})).toEqual([]);
  expect(totals({ isCaughtUp: false })).toEqual(['an open screen lacked the last events for half a minute']);
  expect(totals({ status: { counts: { ...counts, running: 1 } } })).toEqual([
    'status: 1 running instead of 0',
  ]);
  expect(totals({ status: { counts: { ...counts, done: 2 } } })).toEqual(['status: 2 done instead of 1']);
  expect(totals({ stats: { providers: [{ ...row, failed: 1 }] } })).toEqual([
    'stats of agent-3: 1 failed instead of 0',
  ]);
  expect(totals({ stats: { providers: [] } })).toEqual(['stats lack agent-3']);
  const behind = new Map([['cmd_a', { ...summary, state: 'running' }]]);
  expect(totals({ followed: { commands: behind, ended: { done: 0, failed: 0, stale: 0 } } })).toEqual([
    'an open screen: 0 done instead of 1',
    'cmd_a on an open screen differs from one opened now: state running, done',
  ]);
});
