import type { Clock, Logger, RandomBytes } from '@signalbox/core';
import type { RunTrusted } from '../demo/set-up-shop.ts';
import type { Doors, RuntimeOptions } from '../../runtime/contract/runtime.ts';
import type { RedisAddress } from '../../runtime/workspace/redis-address.ts';

/** The world of a bench. */
export type BenchWorld = Readonly<{
  openRuntime: Doors['openRuntime'];
  runTrusted: RunTrusted;
  /** Runs one of the bench's own shell lines outside every sandbox; rejects when it fails. */
  runShell: (line: string, workspace: string) => Promise<unknown>;
  /** Where folders of runs are made. */
  parent: string;
  env: Readonly<Record<string, string | undefined>>;
  user: string;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** Abort for: no new commands. */
  signal: AbortSignal;
  /** For tests of the bench itself: a scheduler that does something wrong. */
  through?: RuntimeOptions['through'];
  /** For tests of the bench itself: who waits longer is told of. Default: the bound of the coordinator, ten minutes. */
  maxWaitMs?: number;
  /** The Redis that the coordinator is kept in; null: in its own folder. */
  redis: RedisAddress | null;
  /** How this program is started. */
  self: readonly [string, ...string[]];
}>;
