import type { CommandId, Logger, ProviderId, SessionId } from '@signalbox/core';
import type { SessionContext } from './session-context.ts';
import type { SessionJournal } from './session-journal.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionWriter } from './session-writer.ts';

/** Ends a turn for a message that its model is to read at once. */
export type TurnInterruption = {
  /** A turn begins: the returned signal is aborted by the first interruption from now on. */
  begin(): AbortSignal;
  /** Of the turn that began last. */
  current(): AbortSignal;
  interrupt(): void;
};

export function createInterruption(): TurnInterruption {
  let current = new AbortController();
  return {
    begin() {
      current = new AbortController();
      return current.signal;
    },
    current: () => current.signal,
    interrupt: () => current.abort(),
  };
}

/** Shared by the steps of a session; everything that is not plain data is here, not in its context. */
export type SessionParts = {
  readonly options: SessionOptions;
  readonly journal: SessionJournal;
  readonly writer: SessionWriter;
  /** The present state, with what was said since the step began. */
  readonly current: () => SessionContext;
  readonly logger: Logger;
  readonly ofSession: { readonly sessionId: SessionId; readonly provider: ProviderId };
  /** Aborted to prevent further turns, waits and calls. */
  readonly stop: AbortSignal;
  /** Ends the present turn, or the wait before its next attempt. */
  readonly interruption: TurnInterruption;
  /** Whether calls may have been submitted before, by the process that left the session. */
  isResuming: boolean;
  /** Commands of this session that have no result yet. */
  readonly inFlight: Set<CommandId>;
};
