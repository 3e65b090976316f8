import { readTrusted } from '@signalbox/sandbox';
import type { BenchWorld } from './bench-world.ts';

const TIMEOUT_MS = 60_000;

/**
 * Runs one of the bench's own shell lines outside every sandbox.
 *
 * @throws {Error} with its standard error when it fails or takes longer than a minute.
 */
export function runShell(
  line: string,
  { workspace, env }: Readonly<{ workspace: string; env: BenchWorld['env'] }>,
): Promise<string> {
  return readTrusted(['/bin/bash', '--noprofile', '--norc', '-c', line], {
    cwd: workspace,
    env: { PATH: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin' },
    timeoutMs: TIMEOUT_MS,
  });
}
