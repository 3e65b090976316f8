import type { QueueTraces } from '@signalbox/redis';
import type { CommandSpan } from './command-spans.ts';

/** Destination of spans. */
export type Traces = {
  record(spans: readonly CommandSpan[]): void;
  /** The current span of that trace, if the queue has one. */
  activeSpan(traceId: string): string | null;
  /** For the queue that carries programs to workers. */
  queueTraces(): Promise<QueueTraces>;
  /** Flushes the remaining spans. */
  close(): Promise<void>;
};
