import type { CommandId, Logger, ProviderId, SessionId } from '@signalbox/core';
import type { SessionJournal } from './session-journal.ts';
import type { SessionOptions } from './session-options.ts';

/** What the steps of a session share; what is no plain data lives here, not in its context. */
export type SessionParts = {
  readonly options: SessionOptions;
  readonly journal: SessionJournal;
  readonly logger: Logger;
  readonly ofSession: { readonly sessionId: SessionId; readonly provider: ProviderId };
  /** Aborted when there shall be no more turns, waits and calls. */
  readonly stop: AbortSignal;
  /** Commands of this session that have no result yet. */
  readonly inFlight: Set<CommandId>;
};
