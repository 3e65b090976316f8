import { applyEvents, lanesOf, newWorkspaceState } from '@signalbox/api';
import type { Event, EventId } from '@signalbox/core';
import { pathResource, writeClaim } from '@signalbox/core';
import { aCommandId, aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { lanesView, runFooter } from './lanes-view.ts';
import { plainEvent } from './plain-event-view.ts';

const usage = {
  inputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
};
let count = 0;

function at(secondsAgo: number, event: object): Event {
  count += 1;
  return { id: `${count}-0` as EventId, at: RENDER.now - secondsAgo * 1000, ...event } as Event;
}

const session = (provider: string) => ({
  sessionId: aSessionId(provider[0]),
  provider: aProviderId(provider),
});
const command = (label: string, { provider, title }: Readonly<{ provider: string; title: string }>) => ({
  commandId: aCommandId(label),
  title,
  ...session(provider),
});

const story: readonly Event[] = [
  ...['anthropic', 'kimi', 'deepseek'].map((provider) =>
    at(52, { type: 'session_started', ...session(provider), model: 'm', task: 't' }),
  ),
  at(50, {
    type: 'turn_ended',
    ...session('anthropic'),
    turn: 1,
    says: 'First the tests.',
    calls: 1,
    usage,
    costUsd: 0.21,
  }),
  at(4.2, {
    type: 'command_submitted',
    ...command('m2qd', { provider: 'anthropic', title: 'run_tests' }),
    tool: 'run_tests',
  }),
  at(4.2, {
    type: 'command_started',
    ...command('m2qd', { provider: 'anthropic', title: 'run_tests' }),
    fencingToken: 1,
    claims: [],
    waitedMs: 0,
  }),
  at(3.1, {
    type: 'command_submitted',
    ...command('k7f3', { provider: 'kimi', title: 'write_file src/cart.ts' }),
    tool: 'write_file',
  }),
  at(3.1, {
    type: 'command_queued',
    ...command('k7f3', { provider: 'kimi', title: 'write_file src/cart.ts' }),
    claims: [writeClaim(pathResource('src/cart.ts'))],
    blockers: [aCommandId('m2qd')],
  }),
  at(41, {
    type: 'command_submitted',
    ...command('p9ze', { provider: 'deepseek', title: 'bash npm install zod@4' }),
    tool: 'bash',
  }),
  at(41, {
    type: 'approval_requested',
    ...command('p9ze', { provider: 'deepseek', title: 'bash npm install zod@4' }),
    level: 'warning',
    reason: 'installs a package',
    callHash: 'a'.repeat(64),
    expiresAt: RENDER.now + 259_000,
  }),
];

test('lanes show who runs, who waits for whom, and who needs approval', () => {
  const state = applyEvents(newWorkspaceState(), story);
  const lanes = lanesOf(state);
  const { ended: endings } = state;
  const facts = { startedAt: RENDER.now - 52_000, lanes, endings, budget: 2, note: 'Ctrl-C stop' };
  expect(screenText([...lanesView(lanes, state, { max: 6, render: RENDER }), runFooter(facts, RENDER)]))
    .toMatchInlineSnapshot(`
    " !  deepseek   asks   p9ze bash npm install zod@4                    0:41      –
     ⚡ anthropic  runs   m2qd run_tests                               0:04.2  $0.21
     ⏳ kimi       waits  write_…art.ts, for anthropic m2qd (test run) 0:03.1      –
     0:52   $0.21 of $2.00   0 done   Ctrl-C stop"
  `);
  expect(screenText(lanesView(lanes, state, { max: 2, render: RENDER })).split('\n')).toEqual([
    expect.any(String),
    ' and 2 more lanes',
  ]);
});

test('other open commands of a lane are counted separately from its line', () => {
  const starts = (id: string): readonly Event[] => {
    const of = command(id, { provider: 'openai', title: 'bash rm -rf docs test' });
    return [
      at(1, { type: 'command_submitted', ...of, tool: 'bash' }),
      at(1, { type: 'command_started', ...of, fencingToken: 1, claims: [], waitedMs: 0 }),
    ];
  };
  const rowWith = (...ids: readonly string[]): string => {
    const state = applyEvents(newWorkspaceState(), ids.flatMap(starts));
    return screenText(lanesView(lanesOf(state), state, { max: 6, render: RENDER }));
  };
  expect(rowWith('r3aa', 'r3bb')).toMatch(/rm -rf docs test {2}\(\+1 command\) /);
  expect(rowWith('r3aa', 'r3bb', 'r3cc')).toMatch(/rm -rf docs test {2}\(\+2 commands\) /);
});

test('an ended command leaves its lane', () => {
  const ended = at(0, {
    type: 'command_completed',
    ...command('m2qd', { provider: 'anthropic', title: 'run_tests' }),
    tool: 'run_tests',
    durationMs: 4200,
    latencyMs: 4200,
    exitCode: 0,
  });
  const state = applyEvents(newWorkspaceState(), [...story, ended]);
  expect(screenText(lanesView(lanesOf(state), state, { max: 6, render: RENDER }))).toContain(
    'thinking First the tests.',
  );
  expect(state.ended).toMatchObject({ done: 1, failed: 0, stale: 0 });
});

test('without a terminal every relevant event has a line, with full ids and nothing cut', () => {
  expect(story.filter((event) => plainEvent(event) !== null)).toHaveLength(6);
  const text = screenText(
    story.flatMap((event) => (plainEvent(event) === null ? [] : [plainEvent(event) ?? []])),
    Infinity,
  );
  expect(text).toContain(
    `queued          kimi      ${aCommandId('k7f3')} write_file src/cart.ts behind ${aCommandId('m2qd')}`,
  );
  expect(text).toContain(
    `needs approval  deepseek  ${aCommandId('p9ze')} bash npm install zod@4 level=warning expires=300s installs a package`,
  );
});

test('every event has a line with -vv', () => {
  for (const event of story) expect(plainEvent(event, true)).not.toBeNull();
});

test('an event without a provider, and a short name, are in the same columns as others (U-B8)', () => {
  const reported = at(0, { type: 'mode_changed', from: 'NORMAL', to: 'ALERT', by: 'ana', reason: 'r' });
  expect(screenText([plainEvent(reported) ?? []], Infinity)).toMatch(
    /Z mode ALERT {6}- {9}- set by ana, was NORMAL: r$/,
  );
});
