import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type TracerProvider,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { openQueueTelemetry, type QueueTraces } from '@signalbox/redis';
import { spanIdOf, traceIdOf } from './command-spans.ts';

/**
 * BullMQ's own spans, in the traces of commands. With several coordinators in one process the first one's provider is
 * used.
 */
export async function openQueueTraces(provider: TracerProvider): Promise<QueueTraces> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    telemetry: await openQueueTelemetry(),
    ofCommand(id, task) {
      const run = {
        traceId: traceIdOf(id),
        spanId: spanIdOf(id, 'run'),
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      };
      return context.with(trace.setSpanContext(ROOT_CONTEXT, run), task);
    },
  };
}
