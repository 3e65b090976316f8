import { expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { runProgram } from '../../testing/run-program.ts';

/** A mount namespace of our own, with the rights to mount in it. */
const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
const HIDES_SANDBOX =
  'for at in /usr/bin/bwrap /usr/local/bin/bwrap; do [ ! -e $at ] || mount --bind /dev/null $at; done';

async function exec(
  workspace: string,
  { hasSandbox, argv }: { hasSandbox: boolean; argv: readonly string[] },
) {
  const program = [process.execPath, MAIN, 'exec', '--no-input', ...argv] as const;
  const hiding = ['unshare', ...NAMESPACE, 'sh', '-c', `${HIDES_SANDBOX}; exec "$0" "$@"`] as const;
  return runProgram(hasSandbox ? program : [...hiding, ...program], {
    cwd: workspace,
    env: { XDG_CONFIG_HOME: configHomeOf(workspace) },
    timeoutMs: 100_000,
  });
}

test('--unconfined uses a sandbox that works; where none does every line asks, and without it nothing runs (U1)', async () => {
  const workspace = ownWorkspace();
  const unconfined = ['--unconfined', '--', 'echo "pid $$"'];
  const confined = await exec(workspace, { hasSandbox: true, argv: unconfined });
  expect(confined.exitCode).toBe(0);
  // The first numbers of a process namespace of its own.
  expect(confined.output).toMatch(/^pid \d{1,2}$/m);

  const alone = await exec(workspace, { hasSandbox: false, argv: unconfined });
  expect([alone.exitCode, alone.output]).toEqual([125, expect.stringContaining('Needs approval')]);
  expect(alone.output).not.toMatch(/^pid \d/m);

  const without = await exec(workspace, { hasSandbox: false, argv: ['--', 'echo "pid $$"'] });
  expect([without.exitCode, without.output]).toEqual([
    125,
    expect.stringContaining('no layer of the sandbox holds'),
  ]);
}, 180_000);
