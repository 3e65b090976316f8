import type { McpServer } from '@modelcontextprotocol/server';
import type { Clock, Logger } from '@signalbox/core';
import type { McpCaller, McpRuntime, McpOffer } from './mcp-runtime.ts';
import { waitUntil } from '../wait-until.ts';
import { stampOf } from './offers-unlike.ts';

const POLL_AGAIN_MS = 25_000;
/** Retry delay while the coordinator is unreachable. */
const TRY_AGAIN_MS = 5000;
const NEVER = { hasHappened: () => false, listen: () => () => undefined };

/**
 * The coordinator's offers, kept current until the connection closes; the protocol's `list_changed` notifies the agent.
 *
 * @returns the current offers
 */
export function followOffers(
  { server }: McpServer,
  first: readonly McpOffer[],
  parts: {
    readonly runtime: Pick<McpRuntime, 'offersUnlike'>;
    readonly caller: McpCaller;
    readonly clock: Pick<Clock, 'timer'>;
    readonly logger: Logger;
  },
): () => readonly McpOffer[] {
  const closed = new AbortController();
  let current = first;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server of the SDK is no event target
  server.onclose = () => closed.abort();
  void follow();
  return () => current;

  async function follow(): Promise<void> {
    let stamp = stampOf(first);
    while (!closed.signal.aborted) {
      try {
        const offers = await parts.runtime.offersUnlike(stamp, parts.caller, {
          ms: POLL_AGAIN_MS,
          signal: closed.signal,
        });
        if (!closed.signal.aborted && stampOf(offers) !== stamp) {
          current = offers;
          await server.sendToolListChanged();
        }
        stamp = stampOf(offers);
      } catch (error) {
        parts.logger.debug({ error }, 'tools of an agent not looked at');
        await waitUntil(NEVER, { clock: parts.clock, ms: TRY_AGAIN_MS, signal: closed.signal });
      }
    }
  }
}
