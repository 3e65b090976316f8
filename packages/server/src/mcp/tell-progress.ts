import type { ServerContext } from '@modelcontextprotocol/server';
import type { Clock, Logger } from '@signalbox/core';

const EVERY_MS = 10_000;

/** Whether an agent asked to hear of the progress of its call, which keeps the call alive. */
export function hearsProgress({ mcpReq }: ServerContext): boolean {
  return mcpReq._meta?.progressToken !== undefined;
}

/**
 * Tells an agent every 10 s that its call goes on, if it asked to hear of it; what is answered ends that.
 *
 * @param whatFor what the call waits for by then, in words
 */
export function tellProgress(
  { mcpReq }: ServerContext,
  {
    clock,
    logger,
    whatFor,
  }: {
    readonly clock: Pick<Clock, 'timer'>;
    readonly logger: Logger;
    readonly whatFor: () => Promise<string>;
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
    const message = `${await whatFor()} · ${seconds} s so far`;
    // After its answer a call has no progress.
    if (isOver) return;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: progressToken ?? 0, progress: seconds, message },
    });
  }
}
