import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { readTrusted, runTrusted } from '@signalbox/sandbox';
import { doors } from '../../../program/doors.ts';
import type { BenchWorld } from '../bench-world.ts';

/** The world as the subcommand gives it, without a terminal. */
export function benchWorld(given: Partial<BenchWorld> = {}): BenchWorld {
  const path = process.env['PATH'] ?? '';
  return {
    openRuntime: doors.openRuntime,
    runTrusted: (argv) => runTrusted(argv, path),
    runShell: (text, workspace) =>
      readTrusted(['/bin/bash', '--noprofile', '--norc', '-c', text], {
        cwd: workspace,
        env: { PATH: path },
        timeoutMs: 60_000,
      }),
    parent: tmpdir(),
    env: { PATH: path },
    user: 'ana',
    clock: createSystemClock(),
    random: randomBytes,
    log: createMemoryLogger(),
    signal: new AbortController().signal,
    redis: null,
    self: [process.execPath, fileURLToPath(new URL('../../../main.ts', import.meta.url))],
    ...given,
  };
}
