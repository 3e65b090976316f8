import type { CommandId } from '@signalbox/core';
import type { Telemetry } from 'bullmq';

/** Tells of the steps of the queue in the traces of the commands that it carries. */
export type QueueTraces = {
  /** BullMQ's own: it writes into each job which span has added it. */
  readonly telemetry: Telemetry;
  /** What `task` adds to the queue belongs to that command. */
  ofCommand<Answer>(id: CommandId, task: () => Answer): Answer;
};

/** Spans by the tracer, context and propagation that are registered with OpenTelemetry, which is loaded here first. */
export async function openQueueTelemetry(): Promise<Telemetry> {
  const { BullMQOtel } = await import('bullmq-otel');
  return new BullMQOtel({ tracerName: 'bullmq' });
}
