import type { CommandId } from '@signalbox/core';
import type { Telemetry } from 'bullmq';

/** Adds queue steps to the traces of the commands that it carries. */
export type QueueTraces = {
  /** BullMQ's telemetry: it records in each job the span that added it. */
  readonly telemetry: Telemetry;
  /** Everything `task` adds to the queue is attributed to that command. */
  ofCommand<Answer>(id: CommandId, task: () => Answer): Answer;
};

/** Creates spans with the tracer, context and propagation registered with OpenTelemetry, which is loaded here first. */
export async function openQueueTelemetry(): Promise<Telemetry> {
  const { BullMQOtel } = await import('bullmq-otel');
  return new BullMQOtel({ tracerName: 'bullmq' });
}
