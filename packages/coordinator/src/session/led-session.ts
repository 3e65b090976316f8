import type { ProviderId } from '@signalbox/core';
import type { AnyActorRef } from 'xstate';

/** A session as a child of its coordinator. */
export type LedSession = {
  readonly actor: AnyActorRef;
  readonly provider: ProviderId;
  readonly state: () => string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
};
