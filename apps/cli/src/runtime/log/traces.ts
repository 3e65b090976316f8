import type { QueueTraces } from '@signalbox/redis';
import type { CommandSpan } from './command-spans.ts';

/** Where spans go. */
export type Traces = {
  record(spans: readonly CommandSpan[]): void;
  /** The span of that trace in which we are called, where the queue has one. */
  activeSpan(traceId: string): string | null;
  /** For the queue that carries programs to workers. */
  queueTraces(): Promise<QueueTraces>;
  /** Sends what is left. */
  close(): Promise<void>;
};
