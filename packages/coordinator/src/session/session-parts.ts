import type { CommandId, Logger, ProviderId, SessionId } from '@signalbox/core';
import type { SessionJournal } from './session-journal.ts';
import type { SessionOptions } from './session-options.ts';

/** Shared by the steps of a session; everything that is not plain data is here, not in its context. */
export type SessionParts = {
  readonly options: SessionOptions;
  readonly journal: SessionJournal;
  readonly logger: Logger;
  readonly ofSession: { readonly sessionId: SessionId; readonly provider: ProviderId };
  /** Aborted to prevent further turns, waits and calls. */
  readonly stop: AbortSignal;
  /** Commands of this session that have no result yet. */
  readonly inFlight: Set<CommandId>;
};
