import type { Event } from '@signalbox/core';
import { expect, test } from 'vitest';
import { aSnapshot } from '@signalbox/api/testing';
import { panelAfter } from './panel-after.ts';
import { type Panel, panelOf } from './panel.ts';

const empty: Panel = panelOf(aSnapshot({ lastEventId: null }));

let last = 0;
function event(type: string, more: object = {}): Event {
  last += 1;
  const ids = { commandId: 'cmd_1', sessionId: 'ses_1', provider: 'openai', title: 'bash npm publish' };
  return { id: `${last}-0`, at: last * 1000, type, ...ids, ...more } as unknown as Event;
}

const claims = [{ resource: 'path:a.ts', access: 'write' }];
const submitted = event('command_submitted', { tool: 'bash' });
const asked = event('approval_requested', { level: 'dangerous', expiresAt: 99_000 });
const approved = event('command_approved', { by: { name: 'mira' }, modified: false });
const queued = event('command_queued', { claims, blockers: ['cmd_0'] });
const started = event('command_started', { claims, fencingToken: 7 });
const failed = event('command_failed', {
  outcome: 'failed',
  reason: 'exit-code',
  message: 'it ended with 1',
});

test('a command goes from its submission to its end, step by step', () => {
  let panel = empty;
  const states = [submitted, asked, approved, queued, started, failed].map((one) => {
    panel = panelAfter(panel, [one]);
    return panel.commands.get('cmd_1')?.state;
  });
  expect(states).toEqual(['submitted', 'awaiting_approval', 'approved', 'queued', 'running', 'done']);
  expect(panel.commands.get('cmd_1')).toMatchObject({
    level: 'dangerous',
    fencingToken: 7,
    outcome: 'failed',
    message: 'it ended with 1',
    blockers: [],
    expiresAt: null,
  });
});

test('applying events together has the same result as one by one', () => {
  const all = [submitted, asked, approved, queued, started, failed];
  const oneByOne = all.reduce((panel, one) => panelAfter(panel, [one]), empty);
  expect(panelAfter(empty, all)).toEqual(oneByOne);
});

test('a finished command stays finished, whatever is repeated', () => {
  const done = panelAfter(empty, [submitted, started, failed]);
  expect(panelAfter(done, [submitted, queued, started]).commands).toEqual(done.commands);
});

test('parts that an event does not affect keep their identity, so that they are not redrawn', () => {
  const other = event('command_submitted', { commandId: 'cmd_2', tool: 'read_file' });
  const before = panelAfter(empty, [submitted, other]);
  const after = panelAfter(before, [event('approval_requested', { level: 'dangerous', expiresAt: 99_000 })]);
  expect(after.commands.get('cmd_2')).toBe(before.commands.get('cmd_2'));
  expect(after.providers).toBe(before.providers);
  expect(panelAfter(after, [])).toBe(after);
});

test('approvals and endings are counted, and only relevant events are listed', () => {
  const panel = panelAfter(empty, [submitted, asked, approved, started, failed]);
  expect([panel.questions, panel.endings]).toEqual([2, 1]);
  expect(panel.feed.map(({ type }) => type)).toEqual([
    'command_failed',
    'command_started',
    'command_approved',
    'approval_requested',
  ]);
  expect(panel.lastEventId).toBe(failed.id);
});

test('an overdue or extended approval is fetched again (U-M6)', () => {
  const before = panelAfter(empty, [submitted, asked]);
  const by = { name: 'mira', channel: 'dashboard' };
  const events = [
    event('approval_overdue', { expiresAt: 99_000 }),
    event('approval_extended', { by, expiresAt: 399_000 }),
  ];
  const after = panelAfter(before, events);
  expect(after.questions).toBe(before.questions + 2);
  expect(after.commands.get('cmd_1')).toMatchObject({ state: 'awaiting_approval', expiresAt: 399_000 });
});

test('a page open for days forgets the oldest finished commands, but no unfinished ones', () => {
  const many = Array.from({ length: 3000 }, (_, at) => {
    const commandId = `cmd_many_${at}`;
    const begun = event('command_submitted', { commandId, tool: 'bash' });
    return at === 0 ? [begun] : [begun, event('command_completed', { commandId, exitCode: 0 })];
  }).flat();
  const { commands } = panelAfter(empty, many);
  expect(commands.size).toBe(2000);
  expect(commands.has('cmd_many_0')).toBe(true);
  expect(commands.has('cmd_many_1')).toBe(false);
});
