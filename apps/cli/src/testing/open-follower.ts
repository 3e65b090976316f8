import { EventEmitter, once } from 'node:events';
import type { Context } from '../runtime/contract/context.ts';
import { createTestTerminal, type TestRun } from './test-context.ts';

/** A terminal that follows something until Ctrl-C. */
export type Follower = Readonly<{
  /** The printed rows. */
  rows: readonly string[];
  /** Settles when a matching row is printed, or was. */
  row(fits: RegExp): Promise<void>;
  /** Ctrl-C. */
  stop(): void;
  ran: Promise<TestRun>;
}>;

export function openFollower(
  directory: string,
  argv: readonly string[],
  world: Parameters<typeof createTestTerminal>[1],
): Follower {
  const stops = new Set<Parameters<Context['interrupts']['listen']>[0]>();
  const rows: string[] = [];
  const printed = new EventEmitter();
  const { signalbox } = createTestTerminal(directory, {
    ...world,
    onPrint(text) {
      rows.push(...text.trimEnd().split('\n'));
      printed.emit('row');
    },
    interrupts: {
      listen(stop) {
        stops.add(stop);
        return () => stops.delete(stop);
      },
      raise: () => undefined,
    },
  });
  return {
    rows,
    ran: signalbox(...argv),
    stop: () => stops.forEach((stop) => stop(1, 'SIGINT')),
    async row(fits) {
      while (!rows.some((row) => fits.test(row))) await once(printed, 'row');
    },
  };
}
