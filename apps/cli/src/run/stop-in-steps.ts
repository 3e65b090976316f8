import type { Coordinator, Haste } from '@signalbox/coordinator';
import type { Clock, CommandStore } from '@signalbox/core';
import type { Interrupts } from '../frame/interrupts.ts';

const GRACE_MS = 10_000;

/**
 * Ctrl-C in two steps: at the first no new calls, and 10 s for what runs; at the second every process is
 * killed now. Nobody is left behind: the caller waits until they are dead.
 */
export function stopInSteps(options: {
  readonly interrupts: Interrupts;
  readonly clock: Clock;
  readonly coordinator: Pick<Coordinator, 'cancel'>;
  readonly store: Pick<CommandStore, 'unfinished'>;
  readonly by: string;
  readonly tell: (text: string) => void;
  /** Time that running commands have after the first Ctrl-C, in milliseconds. Default 10,000; 0 asks them to stop at once. */
  readonly graceMs?: number;
}): Readonly<{ signal: AbortSignal; exitCode(): number | null; close(): void }> {
  const { interrupts, clock, coordinator, store, by, tell, graceMs = GRACE_MS } = options;
  const stopping = new AbortController();
  let exitCode: number | null = null;
  let cancelGrace = (): void => undefined;

  async function stopEach(haste: Haste): Promise<void> {
    cancelGrace();
    for (const { id } of await store.unfinished())
      await coordinator.cancel(id, by, 'the run was stopped', haste);
  }

  function stopAll(haste: Haste): void {
    stopEach(haste).catch((error: unknown) => {
      tell(`Cannot stop everything: ${String(error)}`);
    });
  }

  const unlisten = interrupts.listen((count, signal) => {
    exitCode ??= signal === 'SIGINT' ? 130 : 143;
    stopping.abort();
    if (count === 1 && graceMs > 0) {
      tell(`Stopping: no new calls. What runs has ${graceMs / 1000} s; Ctrl-C again stops it now`);
      cancelGrace = clock.timer(graceMs, () => stopAll('gently'));
      return;
    }
    tell('Stopping every process now');
    stopAll(count === 1 ? 'gently' : 'now');
  });
  return {
    signal: stopping.signal,
    exitCode: () => exitCode,
    close() {
      cancelGrace();
      unlisten();
    },
  };
}
