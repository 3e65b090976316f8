import { createHash } from 'node:crypto';
import type { Clock } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import type { HouseServices } from '../server-options.ts';
import type { McpOffer } from './mcp-house.ts';
import { offersOf } from './offers-of.ts';

/** The same for the same offers, word by word. */
export function stampOf(offers: readonly McpOffer[]): string {
  return createHash('sha256').update(JSON.stringify(offers)).digest('hex');
}

/** What is offered, as soon as it is not what that stamp stands for, or after `ms`, or when `signal` aborts. */
export async function offersUnlike(
  parts: {
    readonly coordinator: Pick<Coordinator, 'tools'>;
    readonly services: Pick<HouseServices, 'onToolsChanged'>;
    readonly clock: Pick<Clock, 'timer'>;
  },
  stamp: string,
  ms: number,
  signal: AbortSignal,
): Promise<readonly McpOffer[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => resolve();
  const offers = (): readonly McpOffer[] => offersOf(parts.coordinator.tools.list());
  const look = (): void => {
    if (signal.aborted || stampOf(offers()) !== stamp) settle();
  };
  const unsubscribe = parts.services.onToolsChanged(look);
  const cancelTimer = parts.clock.timer(ms, settle);
  signal.addEventListener('abort', settle);
  try {
    look();
    await promise;
  } finally {
    unsubscribe();
    cancelTimer();
    signal.removeEventListener('abort', settle);
  }
  return offers();
}
