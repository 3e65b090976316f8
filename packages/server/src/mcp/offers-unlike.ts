import { createHash } from 'node:crypto';
import type { Clock } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import { waitUntil } from '../wait-until.ts';
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
  const offers = (): readonly McpOffer[] => offersOf(parts.coordinator.tools.list());
  const hasHappened = (): boolean => stampOf(offers()) !== stamp;
  const listen = (onHappened: () => void): (() => void) =>
    parts.services.onToolsChanged(() => {
      if (hasHappened()) onHappened();
    });
  await waitUntil({ hasHappened, listen }, { clock: parts.clock, ms, signal });
  return offers();
}
