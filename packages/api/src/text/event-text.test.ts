import type { Event, NewEvent } from '@signalbox/core';
import { expect, test } from 'vitest';
import { eventText, inSentence } from './event-text.ts';

const of = { commandId: 'cmd_a', sessionId: 'ses_a', provider: 'openai', title: 'bash npm test' };
const ended = { ...of, tool: 'bash', durationMs: 1, latencyMs: 1 };
const ada = { name: 'ada', channel: 'terminal' };

function words(event: object): string | null {
  const reported = eventText(
    { id: '1-0', at: 0, ...event } as unknown as Event,
    () => 'anthropic on src/a.ts',
  );
  return reported === null
    ? null
    : [inSentence(reported.word), reported.note].filter((part) => part !== '').join(' | ');
}

test('an event has the same words as buttons and states', () => {
  const reported = [
    { type: 'hallucination_suspect', ...of, suspects: [{ kind: 'path', text: 'a/b', nearest: ['b/a'] }] },
    { type: 'approval_requested', ...of, reason: 'deletes recursively: dist' },
    { type: 'approval_counted', ...of, by: ada, given: 1, approvers: 2 },
    { type: 'approval_overdue', ...of },
    { type: 'approval_extended', ...of, by: ada },
    { type: 'command_approved', ...of, by: ada, rule: 'r', modified: true },
    { type: 'command_approved', ...of, by: 'auto', rule: 'safe-auto', modified: false },
    { type: 'command_prioritized', ...of, priority: 0, by: 'ada' },
    { type: 'command_queued', ...of, claims: [], blockers: ['cmd_b'] },
    { type: 'command_queued', ...of, claims: [], blockers: [] },
    { type: 'command_started', ...of, claims: [], fencingToken: 1 },
    { type: 'command_started', ...of, claims: [{}], fencingToken: 4182 },
    { type: 'command_completed', ...ended, exitCode: 1 },
    { type: 'command_failed', ...ended, outcome: 'conflict', reason: 'stale-write', message: 'm' },
    { type: 'command_denied', ...ended, outcome: 'blocked', rule: 'r', reason: 'm' },
    { type: 'command_cancelled', ...ended, reason: 'm' },
    { type: 'command_rolled_back', ...of, how: 'rolled_back', reason: 'm' },
    { type: 'command_rolled_back', ...of, how: 'rollback_failed', reason: 'm' },
    { type: 'network_connection', target: 'x:80', outcome: 'refused', why: null },
    { type: 'requirements_lifted', tools: ['a', 'b'] },
    { type: 'session_started', task: 'Repair it' },
    { type: 'session_ended', finish: 'max_iterations', message: '' },
    { type: 'turn_failed', message: 'm', retryInMs: 5000 },
    { type: 'turns_requested', turns: 100 },
    { type: 'turns_granted', turns: 10, by: 'ada' },
    { type: 'turns_granted', turns: 0, by: 'ada' },
    { type: 'context_compressed', how: 'summary', beforeTokens: 18_500, afterTokens: 4000, reason: 'r' },
    { type: 'context_compressed', how: 'cut', beforeTokens: 18_500, afterTokens: 4000, reason: 'r' },
    { type: 'context_compressed', how: 'none', beforeTokens: 500, afterTokens: 500, reason: 'r' },
    { type: 'run_started', by: 'ada' },
    { type: 'run_ended', stoppedBy: 'ada' },
    { type: 'mode_changed', from: 'NORMAL', to: 'LOCKDOWN', by: 'ada', reason: 'strange pushes' },
    { type: 'coordinator_started', host: 'box' },
    { type: 'coordinator_stopped', host: 'box' },
    { type: 'warning_raised', message: 'm' },
    { type: 'warning_cleared', message: 'm' },
  ];
  expect(reported.map(words)).toEqual([
    'possibly made up | a/b does not exist (did it mean b/a?)',
    'needs approval | deletes recursively: dist',
    'approved once | by ada, 1 of 2 approvers',
    'session paused | no answer in time; it can still be approved or denied',
    'more time | by ada',
    'approved, modified | by ada',
    'approved | by rule safe-auto',
    'priority set | 0, by ada',
    'queued | behind anthropic on src/a.ts',
    'ready | waiting for a slot',
    'started',
    'started | lease granted, fencing token 4182',
    'exit 1',
    'stale write | m',
    'blocked | m',
    'cancelled | m',
    'rolled back | m',
    'rollback failed | m',
    'network refused | x:80',
    'tool requirements lifted | otherwise no tool could be called: a, b',
    'session started | Repair it',
    'session out of turns',
    'turn failed | m; next try in 5.0 s',
    'out of turns | 100 used, and it is not finished',
    'more turns | 10, by ada',
    'no more turns | by ada',
    'compressed | 18,500 to 4,000 tokens; r',
    'results cut | 18,500 to 4,000 tokens; r',
    'not compressed | nothing to remove, 500 tokens; r',
    'run started | by ada',
    'run ended | stopped by ada',
    'mode LOCKDOWN | set by ada, was NORMAL: strange pushes',
    'coordinator started | on box',
    'coordinator stopped | on box',
    'warning | m',
    'warning cleared | m',
  ]);
});

test('events that a screen shows in another way have no words, and neither have types of a newer server', () => {
  const silent: readonly (NewEvent['type'] | 'of_tomorrow')[] = [
    'command_submitted',
    'command_classified',
    'command_output',
    'turn_started',
    'turn_ended',
    'model_request_ended',
    'tool_call_start',
    'tool_call_result',
    'of_tomorrow',
  ];
  expect(silent.map((type) => words({ type }))).toEqual(silent.map(() => null));
  expect(words({ type: 'network_connection', target: 'x:80', outcome: 'reached', why: null })).toBeNull();
});
