import { createHash } from 'node:crypto';
import type { Clock, EventLog, Logger, SessionId } from '@signalbox/core';
import { waitUntil } from '../wait-until.ts';
import type { RuntimeServices } from '../server-options.ts';
import type { McpOffer } from './mcp-runtime.ts';

/** Equal for equal offers, word by word. */
export function stampOf(offers: readonly McpOffer[]): string {
  return createHash('sha256').update(JSON.stringify(offers)).digest('hex');
}

/** The offers, as soon as they differ from that stamp, or after `ms`, or when `signal` aborts. */
export async function offersUnlike(
  parts: {
    readonly offers: () => Promise<readonly McpOffer[]>;
    /** Absent: what it has done does not count. */
    readonly sessionId?: SessionId | undefined;
    readonly services: Pick<RuntimeServices, 'onToolsChanged'>;
    readonly events: Pick<EventLog, 'subscribe'>;
    readonly clock: Pick<Clock, 'timer'>;
    readonly logger: Logger;
  },
  stamp: string,
  { ms, signal }: Readonly<{ ms: number; signal: AbortSignal }>,
): Promise<readonly McpOffer[]> {
  const { offers } = parts;
  const hasHappened = async (): Promise<boolean> => stampOf(await offers()) !== stamp;
  const listen = (onHappened: () => void): (() => void) => {
    const check = async (): Promise<void> => {
      if (await hasHappened()) onHappened();
    };
    const checkAgain = (): void =>
      void check().catch((error: unknown) => parts.logger.warn({ error }, 'offer of tools not looked at'));
    const stops = [
      parts.services.onToolsChanged(checkAgain),
      parts.events.subscribe((event) => {
        // What a session has done may offer it more tools.
        const isOwn = event.type === 'command_completed' && event.sessionId === parts.sessionId;
        if (event.type === 'mode_changed' || isOwn) checkAgain();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
  await waitUntil({ hasHappened, listen }, { clock: parts.clock, ms, signal });
  return offers();
}
