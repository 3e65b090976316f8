import type { ServerContext } from '@modelcontextprotocol/server';
import type { Clock, Logger } from '@signalbox/core';

const EVERY_MS = 10_000;

/** Whether an agent asked for progress notifications of its call, which keep the call alive. */
export function wantsProgress({ mcpReq }: ServerContext): boolean {
  return mcpReq._meta?.progressToken !== undefined;
}

/**
 * Sends an agent a progress notification every 10 s if it asked for them, until the call is answered.
 *
 * @param describeWait what the call waits for at that time, in words
 */
export function sendProgress(
  { mcpReq }: ServerContext,
  {
    clock,
    logger,
    describeWait,
  }: {
    readonly clock: Pick<Clock, 'timer'>;
    readonly logger: Logger;
    readonly describeWait: () => Promise<string>;
  },
): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  let isOver = false;
  let cancel = clock.timer(EVERY_MS, next);
  return () => {
    isOver = true;
    cancel();
  };

  function next(): void {
    progress += EVERY_MS / 1000;
    tell(progress).catch((error: unknown) => logger.debug({ error }, 'progress not told'));
    cancel = clock.timer(EVERY_MS, next);
  }

  async function tell(seconds: number): Promise<void> {
    const message = `${await describeWait()} · ${seconds} s so far`;
    // A call that is answered has no progress.
    if (isOver) return;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: progressToken ?? 0, progress: seconds, message },
    });
  }
}
