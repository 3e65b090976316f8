import { type BackendCall, NO_USAGE } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  aProviderId,
  aSessionId,
  createManualClock,
  createMemoryStore,
} from '@signalbox/core/testing';
import type { Coordinator } from '@signalbox/coordinator';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('Redis script durations are counted per script, failures separately', async () => {
  const listeners = new Set<(call: BackendCall) => void>();
  const metrics = createMetrics({
    ...createMemoryStore(createManualClock()),
    coordinator: {
      queue: async () => ({ waiting: [], leases: [] }),
      mode: async () => ({ mode: 'NORMAL' }),
      approvals: { pending: async () => [] },
    } as unknown as Coordinator,
    services: { providers: () => [] },
    calls: {
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    now: () => 0,
  });
  for (const listener of listeners) {
    listener({ name: 'enqueue', seconds: 0.0004, ok: true });
    listener({ name: 'enqueue', seconds: 2, ok: false });
  }
  const text = await metrics.text();
  expect(text).toContain('signalbox_redis_script_seconds_bucket{le="0.0005",script="enqueue",result="ok"} 1');
  expect(text).toContain('signalbox_redis_script_seconds_sum{script="enqueue",result="failed"} 2');
  metrics.close();
  expect(listeners.size).toBe(0);
});

const PROVIDER = {
  id: aProviderId('openai'),
  model: 'm',
  trust: 'trusted',
  missingKey: null,
  unconfirmed: null,
};

test('tokens saved by the tool filter and invalid arguments are counted', async () => {
  const { events, store } = createMemoryStore(createManualClock());
  const metrics = createMetrics({
    events,
    store,
    coordinator: {
      queue: async () => ({ waiting: [], leases: [] }),
      mode: async () => ({ mode: 'NORMAL' }),
      approvals: { pending: async () => [] },
      tools: { get: () => undefined },
    } as unknown as Coordinator,
    services: { providers: () => [PROVIDER] },
    now: () => 0,
  });
  const of = { sessionId: aSessionId(), provider: aProviderId('openai') };
  const turn = {
    type: 'turn_ended',
    ...of,
    turn: 1,
    says: '',
    calls: 0,
    usage: NO_USAGE,
    costUsd: null,
  } as const;
  const ended = { ...of, commandId: aCommandId(), title: 'x', tool: 'x', durationMs: 0, latencyMs: 1 };
  const failed = {
    type: 'command_failed',
    ...ended,
    outcome: 'failed',
    exitCode: null,
    message: 'm',
  } as const;
  await events.append([
    { ...turn, filter: { leftOut: 3, tokensSaved: 900 } },
    turn,
    { type: 'command_completed', ...ended, exitCode: null, thought: true },
    { ...failed, reason: 'invalid-arguments', thought: false },
    { ...failed, reason: 'stale-write', thought: false },
    { ...failed, reason: 'invalid-arguments' },
  ]);
  const lines = (await metrics.text()).split('\n');
  expect(lines).toContain('signalbox_saved_tokens_total{provider="openai",by="offers"} 900');
  expect(lines.filter((line) => line.startsWith('signalbox_complex_calls_total')).toSorted()).toEqual([
    'signalbox_complex_calls_total{thought="false",arguments="invalid"} 1',
    'signalbox_complex_calls_total{thought="false",arguments="valid"} 1',
    'signalbox_complex_calls_total{thought="true",arguments="valid"} 1',
  ]);
  metrics.close();
});

test('decisions of gates are counted by gate, provider, decision and mode, with the time they took (R5, S001-119)', async () => {
  const { events, store } = createMemoryStore(createManualClock());
  const metrics = createMetrics({
    events,
    store,
    coordinator: {
      queue: async () => ({ waiting: [], leases: [] }),
      mode: async () => ({ mode: 'NORMAL' }),
      approvals: { pending: async () => [] },
      tools: { get: () => undefined },
    } as unknown as Coordinator,
    services: { providers: () => [PROVIDER] },
    now: () => 0,
  });
  const decided = {
    type: 'gate_decided',
    commandId: aCommandId(),
    sessionId: aSessionId(),
    provider: aProviderId('openai'),
    title: 'x',
    tool: 'bash',
  } as const;
  const decision = {
    gate: 'utility',
    decision: 'deny',
    shadow: true,
    reason: 'r',
    ms: 0.2,
    terms: {},
  } as const;
  await events.append([
    { ...decided, decision },
    { ...decided, decision: { ...decision, decision: 'allow', shadow: false, ms: 700 } },
  ]);
  const lines = (await metrics.text()).split('\n');
  expect(lines.filter((line) => line.startsWith('signalbox_gate_decisions_total'))).toEqual([
    'signalbox_gate_decisions_total{gate="utility",provider="openai",decision="deny",mode="shadow"} 1',
    'signalbox_gate_decisions_total{gate="utility",provider="openai",decision="allow",mode="enforce"} 1',
  ]);
  expect(lines).toContain('signalbox_gate_seconds_bucket{le="0.0005",gate="utility"} 1');
  expect(lines).toContain('signalbox_gate_seconds_count{gate="utility"} 2');
  metrics.close();
});

test('filtered outputs and what they saved are counted, also of results that were used again (S001-48, M5, O1)', async () => {
  const memory = createMemoryStore(createManualClock());
  const metrics = createMetrics({
    ...memory,
    coordinator: {
      queue: async () => ({ waiting: [], leases: [] }),
      mode: async () => ({ mode: 'NORMAL' }),
      approvals: { pending: async () => [] },
      tools: { get: () => undefined },
    } as unknown as Coordinator,
    services: { providers: () => [] },
    now: () => 0,
  });
  const { id, context, call } = aCommandRecord();
  const ended = {
    commandId: id,
    sessionId: context.sessionId,
    provider: context.provider,
    title: 'bash',
    tool: call.tool,
  };
  const filtered = { filter: 'go', keptLines: 1, lines: 9, keptTokens: 10, savedTokens: 90 };
  await memory.events.append([
    {
      type: 'command_completed',
      ...ended,
      durationMs: 1,
      latencyMs: 1,
      exitCode: 0,
      filtered: { ...filtered, confidence: 'full' },
    },
    {
      type: 'command_completed',
      ...ended,
      durationMs: 1,
      latencyMs: 1,
      exitCode: 0,
      filtered: { ...filtered, confidence: 'full' },
    },
    { type: 'command_completed', ...ended, durationMs: 1, latencyMs: 1, exitCode: 0 },
    {
      type: 'command_completed',
      ...ended,
      durationMs: 0,
      latencyMs: 1,
      exitCode: 0,
      filtered: { ...filtered, filter: 'jest', confidence: 'full' },
      reusedFrom: { commandId: id, provider: context.provider, endedAt: 0, durationMs: 2500 },
    },
  ]);
  const text = await metrics.text();
  expect(text).toContain('signalbox_filtered_outputs_total{filter="go",confidence="full"} 2');
  expect(text).toContain('signalbox_filtered_tokens_total{filter="go",what="saved"} 180');
  expect(text).toContain('signalbox_filtered_tokens_total{filter="go",what="kept"} 20');
  expect(text).toContain('signalbox_filtered_tokens_total{filter="jest",what="saved"} 90');
  expect(text).toContain('signalbox_saved_tokens_total{provider="other",by="filters"} 270');
  expect(text).toMatch(/^signalbox_reused_results_total\{.*\} 1$/m);
  expect(text).toMatch(/^signalbox_reused_seconds_total\{.*\} 2\.5$/m);
  metrics.close();
});
