import type { Coordinator } from '@signalbox/coordinator';
import { type Clock, createId, describeClaim, ProviderId, type RandomBytes } from '@signalbox/core';

/** Longest wait of the last command, however busy the machine. */
const LAST_ONE_WAITS_MS = 120_000;
/** Leases of killed processes must expire before another process takes their commands over. */
const AFTER_KILLS_MS = 60_000;
const POLL_EVERY_MS = 250;

/**
 * Leases that remain when every agent has its answers: by the scheduler's snapshot, and by a last command that reads
 * the whole workspace, which waits for every lease that was not released.
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
  if (result === null) await coordinator.cancel(last.commandId, { by: 'bench' });
  return [
    ...leases.map(
      ({ commandId, claims }) => `${commandId} is done and holds ${claims.map(describeClaim).join(', ')}`,
    ),
    ...waiting.map(({ commandId }) => `${commandId} is done and waits`),
    ...(result?.success === true
      ? []
      : [`a last command could not look at the workspace within ${LAST_ONE_WAITS_MS / 1000} s`]),
  ];
}

async function untilFree({ queue }: Pick<Coordinator, 'queue'>, clock: Clock): Promise<void> {
  const until = clock.monotonic() + AFTER_KILLS_MS;
  for (;;) {
    const { leases, waiting } = await queue();
    if (leases.length + waiting.length === 0 || clock.monotonic() > until) return;
    await new Promise<void>((resolve) => clock.timer(POLL_EVERY_MS, resolve));
  }
}
