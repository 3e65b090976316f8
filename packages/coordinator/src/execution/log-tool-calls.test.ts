import { createRedactor, type Event, EventId, FencingToken } from '@signalbox/core';
import {
  aCall,
  aCallContext,
  aCommandId,
  aCommandRecord,
  aProviderId,
  aSessionId,
  createMemoryLogger,
  SOME_TIME,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { logToolCalls } from './log-tool-calls.ts';

const SECRET = 'sk-live-4f9a8b7c6d5e';
const stamp = { id: EventId.parse('1-0'), at: SOME_TIME } as const;
const of = {
  commandId: aCommandId(),
  sessionId: aSessionId(),
  provider: aProviderId(),
  title: 'echo hello',
} as const;
const ended = { ...of, tool: 'echo', durationMs: 3, latencyMs: 5 } as const;

const EVENTS: readonly Event[] = [
  {
    ...stamp,
    type: 'command_started',
    ...of,
    command: 'npm test',
    pid: 7,
    fencingToken: FencingToken.parse(1),
    claims: [],
    waitedMs: 0,
  },
  { ...stamp, type: 'command_completed', ...ended, exitCode: null },
  {
    ...stamp,
    type: 'command_failed',
    ...ended,
    outcome: 'timed_out',
    exitCode: -1,
    reason: 'timeout',
    message: 'too slow',
  },
  { ...stamp, type: 'command_denied', ...ended, outcome: 'blocked', rule: 'blocked-never', reason: 'no' },
  { ...stamp, type: 'command_cancelled', ...ended, reason: 'enough' },
];

function linesOf(
  context: Parameters<typeof aCallContext>[0] = {},
): ReturnType<typeof createMemoryLogger>['lines'] {
  const logger = createMemoryLogger();
  let tell: (event: Event) => void = () => undefined;
  const record = aCommandRecord({ call: aCall({ args: { key: SECRET } }), context: aCallContext(context) });
  logToolCalls({
    events: {
      subscribe(listener) {
        tell = listener;
        return () => undefined;
      },
    },
    recordOf: () => record,
    redactor: createRedactor({ secrets: [SECRET] }),
    logger,
  });
  for (const event of EVENTS) tell(event);
  return logger.lines;
}

test('each call is logged with the names of specification 000 (S000-49…52)', () => {
  expect(linesOf().map(({ level, message }) => [level, message])).toEqual([
    ['info', 'tool_call_started'],
    ['info', 'tool_call_completed'],
    ['error', 'tool_call_failed'],
    ['warn', 'tool_call_blocked'],
    ['info', 'tool_call_cancelled'],
  ]);
});

test('each line has the facts of specification 000 (S000-49…52, S000-67)', () => {
  const call = {
    command_id: aCommandId(),
    provider: aProviderId(),
    tool_name: 'echo',
    trace_id: 'trace-1',
    span_id: 'span-2',
  };
  expect(linesOf({ traceId: 'trace-1', spanId: 'span-2' }).map(({ facts }) => facts)).toEqual([
    { ...call, arguments: { key: expect.any(String) } },
    { ...call, success: true, latency_ms: 5 },
    { ...call, error: 'too slow', reason: 'timeout', latency_ms: 5 },
    { ...call, reason: 'no', rule: 'blocked-never' },
    { ...call, reason: 'enough' },
  ]);
});

test('lines are correlated by the call’s trace and span, otherwise by session and command (S000-53)', () => {
  expect(linesOf({ traceId: 'trace-1', spanId: 'span-2' })[0]?.facts).toMatchObject({
    trace_id: 'trace-1',
    span_id: 'span-2',
  });
  expect(linesOf()[0]?.facts).toMatchObject({ trace_id: aSessionId(), span_id: aCommandId() });
});

test('the arguments are logged without their secrets', () => {
  expect(linesOf()[0]?.facts).toMatchObject({ arguments: { key: expect.stringContaining('[redacted:') } });
  expect(JSON.stringify(linesOf())).not.toContain(SECRET);
});
