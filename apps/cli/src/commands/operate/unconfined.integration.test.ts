import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { entry } from '../../program/runtime-entry.ts';
import { createInterrupts } from '../../runtime/contract/interrupts.ts';
import { MAIN } from '../../testing/agent.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { runProgram } from '../../testing/run-program.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

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

test('--unconfined uses a working sandbox; without one every line needs approval, and without the flag nothing runs (U1)', async () => {
  const workspace = ownWorkspace();
  const unconfined = ['--unconfined', '--', 'echo "pid $$"'];
  const confined = await exec(workspace, { hasSandbox: true, argv: unconfined });
  expect(confined.exitCode).toBe(0);
  // The first pids of a separate pid namespace.
  expect(confined.output).toMatch(/^pid \d{1,2}$/m);

  const alone = await exec(workspace, { hasSandbox: false, argv: unconfined });
  expect([alone.exitCode, alone.output]).toEqual([125, expect.stringContaining('Needs approval')]);
  expect(alone.output).not.toMatch(/^pid \d/m);

  const without = await exec(workspace, { hasSandbox: false, argv: ['--', 'echo "pid $$"'] });
  expect([without.exitCode, without.output]).toEqual([
    125,
    expect.stringContaining('no sandbox layer works'),
  ]);
}, 180_000);

test('a client that starts before an unconfined coordinator listens waits for it, and starts none', async () => {
  const world = backgroundWorld();
  const log = join(world.run, 'coordinator.log');
  const refused = () => existsSync(log) && readFileSync(log, 'utf8').includes('workspace-held');
  const isOpen = Promise.withResolvers<void>();
  const slow: typeof entry = {
    ...entry,
    async openRuntime(options) {
      const runtime = await entry.openRuntime(options);
      isOpen.resolve();
      return {
        ...runtime,
        async openApi(served) {
          await expect.poll(refused, { timeout: 60_000 }).toBe(true);
          return runtime.openApi(served);
        },
      };
    },
  };
  const interrupts = createInterrupts({ on: () => undefined }, () => undefined);
  const terminal = createTestTerminal(world.directory, { entry: slow, interrupts });
  const running = terminal.signalbox('exec', '--unconfined', '--', 'sleep 600');
  await isOpen.promise;
  const access = await world.connect();
  expect(access.pid).toBe(process.pid);
  await expect
    .poll(async () => (await clientAt(access).getStatus()).counts.running, { timeout: 60_000 })
    .toBe(1);
  interrupts.raise();
  expect((await running).exit).toBe(130);
}, 180_000);
