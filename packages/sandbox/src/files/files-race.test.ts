import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createFiles } from './files.ts';
import { hashOf } from './file-on-disk.ts';

const ATTACKER = fileURLToPath(new URL('../testing/exchange-for-links.ts', import.meta.url));
/** Set `SIGNALBOX_RACES=1000000` to try longer, and `TMPDIR=/dev/shm` to avoid waiting for a disk. */
const RACES = Number(process.env['SIGNALBOX_RACES'] ?? 1600);

test(
  `no operation leaves the workspace by names replaced with links meanwhile (${RACES} operations)`,
  { timeout: 60_000 + RACES * 10 },
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
    const [workspace, outside] = [join(root, 'workspace'), join(root, 'outside')];
    for (const folder of [workspace, outside]) mkdirSync(folder);
    writeFileSync(join(outside, 'secret'), 'SECRET');
    const files = createFiles({ workspace, commits: join(workspace, '.signalbox/commits') });
    const by = { commandId: aCommandId('w'), mayChange: async () => undefined };
    const attacker = spawn(process.execPath, [ATTACKER, workspace, outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const died = new Promise((resolve) => attacker.once('exit', resolve));
    await new Promise((resolve) => attacker.stdout.once('data', resolve));
    const reported: Record<string, number> = {};
    const [escapes, mine] = [[] as string[], hashOf('mine')];
    const attempts: readonly ((round: number) => Promise<unknown>)[] = [
      () => files.readText('swap/secret'),
      () => files.readText('kept/file'),
      () => files.stat('swap/secret'),
      () => files.list('swap'),
      (round) => files.write(`swap/escaped-${round % 50}`, 'x', { expected: 'absent' }),
      (round) =>
        files.write(`swap/deep/escaped-${round % 50}`, 'x', {
          expected: 'absent',
          by: round % 8 === 5 ? by : undefined,
        }),
      () => files.write('kept/file', 'mine', { expected: mine }),
      () => files.remove('swap/secret', hashOf('SECRET')),
    ];
    try {
      for (let round = 0; round < RACES; round++) {
        const attempt = attempts[round % attempts.length];
        const answer = await attempt?.(round).then(
          (value) => JSON.stringify(value) ?? '',
          (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'odd'),
        );
        if (answer?.includes('SECRET') === true || answer?.includes('"path":"swap/secret"') === true)
          escapes.push(`${round}: ${answer}`);
        const word = answer?.startsWith('{') === true || answer === 'null' ? 'done' : (answer ?? '');
        reported[word] = (reported[word] ?? 0) + 1;
      }
      expect(attacker.exitCode, 'the attacker runs to the end').toBeNull();
    } finally {
      attacker.kill('SIGKILL');
      await died;
    }
    expect(escapes).toEqual([]);
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('SECRET');
    // The attack was effective: some operations succeeded, and some met a link.
    expect(reported).toMatchObject({ done: expect.any(Number), path_not_allowed: expect.any(Number) });
    rmSync(root, { recursive: true, force: true });
  },
);
