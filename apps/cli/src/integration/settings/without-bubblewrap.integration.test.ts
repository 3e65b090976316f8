import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { configHomeOf, writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { runProgram } from '../../testing/run-program.ts';

/** A mount namespace of our own, with the rights to mount in it. */
const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
const HIDES_SANDBOX =
  'for at in /usr/bin/bwrap /usr/local/bin/bwrap; do [ ! -e $at ] || mount --bind /dev/null $at; done';

/** `signalbox exec` on a machine without bubblewrap. */
async function exec(workspace: string, ...argv: readonly string[]) {
  const program = [process.execPath, MAIN, 'exec', '--no-input', ...argv];
  return runProgram(['unshare', ...NAMESPACE, 'sh', '-c', `${HIDES_SANDBOX}; exec "$0" "$@"`, ...program], {
    cwd: workspace,
    env: { XDG_CONFIG_HOME: configHomeOf(workspace) },
    timeoutMs: 100_000,
  });
}

test('a line runs in a container of the engine and image of the settings (setting: sandbox.container.engine, sandbox.container.image)', async () => {
  const workspace = ownWorkspace();
  const engine = `${configHomeOf(workspace)}/engine`;
  const container = { engine: [engine], image: 'image-of-mine' };
  await writeOwnSettings(workspace, { text: JSON.stringify({ sandbox: { container } }) });
  writeFileSync(engine, `#!/bin/sh\necho "$@" >> ${engine}.calls\necho 99.0.0\n`, { mode: 0o755 });
  await exec(workspace, '--', 'echo a');
  expect(existsSync(`${engine}.calls`)).toBe(true);
  expect(readFileSync(`${engine}.calls`, 'utf8')).toContain('image-of-mine');
});

test('a line that would run without a transaction fails instead of needing approval (setting: tools.shell.snapshot_required)', async () => {
  const seen: unknown[] = [];
  for (const snapshot_required of [false, true]) {
    const workspace = ownWorkspace();
    await writeOwnSettings(workspace, { text: JSON.stringify({ tools: { shell: { snapshot_required } } }) });
    const { output } = await exec(workspace, '--unconfined', '--', 'echo a');
    seen.push(/^(?:denied: Needs approval|failed: Cannot run commands)/m.exec(output)?.[0]);
  }
  expect(seen).toEqual(['denied: Needs approval', 'failed: Cannot run commands']);
});
