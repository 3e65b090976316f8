import type { Coordinator } from '@signalbox/coordinator';
import { type Clock, createId, describeClaim, ProviderId, type RandomBytes } from '@signalbox/core';

/** Somebody who comes last must be served within so long. */
const LAST_ONE_WAITS_MS = 30_000;
/** What killed processes held is free when their leases are over and somebody has looked after their commands. */
const AFTER_KILLS_MS = 60_000;
const LOOKS_EVERY_MS = 250;

/**
 * What is still held when everybody has an answer: by what the scheduler says, and by a last command that wants to
 * look at the whole workspace and would wait for every writer that never let go.
 */
export async function findLeftovers(
  coordinator: Pick<Coordinator, 'queue' | 'submit' | 'cancel'>,
  { clock, random, isKilled }: Readonly<{ clock: Clock; random: RandomBytes; isKilled: boolean }>,
): Promise<readonly string[]> {
  if (isKilled) await untilFree(coordinator, clock);
  const { leases, waiting } = await coordinator.queue();
  const last = coordinator.submit(
    { callId: 'last', tool: 'list_directory', args: { path: '.' } },
    { sessionId: createId('session', random), provider: ProviderId.parse('last') },
  );
  const late = Promise.withResolvers<null>();
  const cancelTimer = clock.timer(LAST_ONE_WAITS_MS, () => late.resolve(null));
  const result = await Promise.race([last.result, late.promise]);
  cancelTimer();
  if (result === null) await coordinator.cancel(last.commandId, 'bench');
  return [
    ...leases.map(
      ({ commandId, claims }) => `${commandId} is done and holds ${claims.map(describeClaim).join(', ')}`,
    ),
    ...waiting.map(({ commandId }) => `${commandId} is done and waits`),
    ...(result?.success === true ? [] : ['a last command could not look at the workspace within 30 s']),
  ];
}

async function untilFree({ queue }: Pick<Coordinator, 'queue'>, clock: Clock): Promise<void> {
  const until = clock.monotonic() + AFTER_KILLS_MS;
  for (;;) {
    const { leases, waiting } = await queue();
    if (leases.length + waiting.length === 0 || clock.monotonic() > until) return;
    await new Promise<void>((resolve) => clock.timer(LOOKS_EVERY_MS, resolve));
  }
}
