import type { McpServer, RegisteredTool } from '@modelcontextprotocol/server';
import type { Clock, Logger } from '@signalbox/core';
import type { McpCaller, McpHouse, McpOffer } from './mcp-house.ts';
import { waitUntil } from '../wait-until.ts';
import { stampOf } from './offers-unlike.ts';

const LOOK_AGAIN_MS = 25_000;
/** Where the house can't be asked now. */
const TRY_AGAIN_MS = 5000;
const NEVER = { hasHappened: () => false, listen: () => () => undefined };

/**
 * Keeps the tools of a connection what the house offers, until it closes; the protocol's `list_changed` tells the agent.
 *
 * @param add registers one and answers how to take it out
 */
export function followOffers(
  server: McpServer,
  first: readonly McpOffer[],
  parts: {
    readonly house: Pick<McpHouse, 'offersUnlike'>;
    readonly caller: McpCaller;
    readonly add: (offer: McpOffer) => RegisteredTool;
    readonly clock: Pick<Clock, 'timer'>;
    readonly logger: Logger;
  },
): void {
  const over = new AbortController();
  const registered = new Map(first.map((offer) => [stampOf([offer]), parts.add(offer)] as const));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server of the SDK is no event target
  server.server.onclose = () => over.abort();
  void follow();

  async function follow(): Promise<void> {
    let stamp = stampOf(first);
    while (!over.signal.aborted) {
      try {
        const offers = await parts.house.offersUnlike(stamp, parts.caller, LOOK_AGAIN_MS, over.signal);
        if (!over.signal.aborted && stampOf(offers) !== stamp) renew(offers);
        stamp = stampOf(offers);
      } catch (error) {
        parts.logger.debug({ error }, 'tools of an agent not looked at');
        await waitUntil(NEVER, { clock: parts.clock, ms: TRY_AGAIN_MS, signal: over.signal });
      }
    }
  }

  /** A tool that is defined anew goes before it comes: two of one name can't stand beside each other. */
  function renew(offers: readonly McpOffer[]): void {
    const wanted = new Map(offers.map((offer) => [stampOf([offer]), offer] as const));
    for (const [stamp, tool] of registered) {
      if (wanted.has(stamp)) continue;
      tool.remove();
      registered.delete(stamp);
    }
    for (const [stamp, offer] of wanted) {
      if (!registered.has(stamp)) registered.set(stamp, parts.add(offer));
    }
  }
}
