import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import type { ExecutionHooks, ExecutionRequest } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  createManualClock,
  createMemoryStore,
  ended,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { spanIdOf, traceIdOf } from './command-spans.ts';
import { openTraces } from './open-traces.ts';
import { createTraces } from './otlp-traces.ts';
import { tracedExecutor, tracedStore } from './traced.ts';

const id = aCommandId('kept');

test('the waits and steps of a command form one trace, written by the processes that led and ran it', async () => {
  const [leader, worker] = [createMemoryTraces(), createMemoryTraces()];
  const clock = createManualClock();
  const store = tracedStore(createMemoryStore(clock).store, leader.traces);
  const first = aCommandRecord({
    id,
    call: { callId: 'c', tool: 'bash', args: { command: 'PASSWORD=hunter2x' } },
  });
  await store.commit(first, []);
  const executor = tracedExecutor(
    {
      isolation: () => Promise.reject(new Error('not asked')),
      async execute() {
        await clock.advance(40);
        throw new Error('not confined');
      },
    },
    { traces: worker.traces, clock, host: 'there' },
  );
  const request = { commandId: id } as ExecutionRequest;
  await expect(executor.execute(request, {} as ExecutionHooks)).rejects.toThrow('not confined');
  const at = first.submittedAt;
  await store.commit(
    { ...ended(first, { outcome: 'failed', endedAt: at + 100 }), queuedAt: at + 10, startedAt: at + 60 },
    [],
  );
  await Promise.all([leader.traces.close(), worker.traces.close()]);

  const spans = [...leader.spans, ...worker.spans];
  expect(spans.map(({ name }) => name).toSorted()).toEqual(['command', 'execute', 'queue', 'run']);
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceIdOf(id)]));
  expect(Object.fromEntries(spans.map((span) => [span.name, span.parentSpanContext?.spanId]))).toEqual({
    command: undefined,
    queue: spanIdOf(id, 'command'),
    run: spanIdOf(id, 'command'),
    execute: spanIdOf(id, 'run'),
  });
  expect(Object.fromEntries(spans.map((span) => [span.name, milliseconds(span)]))).toEqual({
    command: 100,
    queue: 50,
    run: 40,
    execute: 40,
  });
  const [command] = leader.spans;
  expect(command?.attributes).toMatchObject({ 'signalbox.tool': 'bash', 'signalbox.outcome': 'failed' });
  expect(command?.resource.attributes['service.name']).toBe('signalbox');
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('hunter2x');
});

test('an unfinished command has no trace', async () => {
  const { traces, spans } = createMemoryTraces();
  const store = tracedStore(createMemoryStore(createManualClock()).store, traces);
  await store.commit(aCommandRecord({ id }), []);
  await traces.close();
  expect(spans).toEqual([]);
});

test('nothing is traced or loaded without an endpoint', async () => {
  expect(await openTraces({})).toBeNull();
  expect(await openTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeNull();
  expect(
    await openTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }),
  ).toBeNull();
});

/** Collects exported spans, and keeps them after shutdown. */
function createMemoryTraces() {
  const spans: ReadableSpan[] = [];
  const exporter = new InMemorySpanExporter();
  const traces = createTraces(
    {
      export(batch, callback) {
        spans.push(...batch);
        exporter.export(batch, callback);
      },
      shutdown: () => exporter.shutdown(),
    },
    'signalbox',
  );
  return { traces, spans };
}

function milliseconds({ duration: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
