import type { CommandSpan } from './command-spans.ts';

/** Where spans go. */
export type Traces = {
  record(spans: readonly CommandSpan[]): void;
  /** Sends what is left. */
  close(): Promise<void>;
};
