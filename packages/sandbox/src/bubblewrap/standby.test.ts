import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initsIn, processesIn } from '../testing/processes-in.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../testing/system-clock.ts';
import { isAlive } from '../process-tree/process-tree.ts';
import { sendSignal } from '../process.ts';

describe.each(['off', 'where-possible'] as const)('a standby (transactions %s)', (transactions) => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness({ transactions });
  });
  afterEach(() => harness.close());

  const textOf = async (line: string): Promise<string> => {
    const { stdout, stderr } = await harness.run(line);
    return stdout.text + stderr.text;
  };
  /**
   * Waits for one standby for read-only commands, from the trial, and one for writing ones; more if more came
   * at once. A socket that appears or disappears meanwhile invalidates the standbys; then the next command
   * prepares new ones.
   */
  async function waiting(
    count = 2,
    { at = harness, tries = 6 }: Readonly<{ at?: SandboxHarness; tries?: number }> = {},
  ): Promise<void> {
    try {
      await expect
        .poll(() => initsIn(at.workspace).length, { timeout: 10_000 })
        .toBeGreaterThanOrEqual(count);
    } catch (error) {
      if (tries === 1) throw error;
      await at.run('true');
      await waiting(count, { at, tries: tries - 1 });
    }
  }

  /** Replaces a file by another under the same name, as editors do. */
  const replace = (name: string, text: string): void => {
    const path = join(harness.workspace, name);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };

  test('has nothing of the previous command: cwd, environment and limits are its own', async () => {
    mkdirSync(join(harness.workspace, 'below'));
    await harness.run('export LEFT=over; cd below; ulimit -n 20', { cwd: 'below', env: { ONE: '1' } });
    await waiting();
    expect(await textOf('echo "$LEFT|$ONE|$PWD|$OLDPWD"; ulimit -n')).toBe(`||${harness.workspace}|\n256\n`);
  });

  test('shows no secret that was replaced meanwhile (finding 4)', async () => {
    replace('.env', 'KEY=first');
    expect(await textOf('cat .env')).not.toContain('first');
    await waiting();
    replace('.env', 'KEY=second');
    expect(await textOf('cat .env')).not.toContain('second');
  });

  test('shows the files as they are when the command begins', async () => {
    mkdirSync(join(harness.workspace, '.git', 'hooks'), { recursive: true });
    for (const name of ['.git/HEAD', '.git/config', 'signalbox.yaml', 'a']) replace(name, 'old\n');
    await harness.run('cat .git/* *');
    await waiting();
    for (const name of ['.git/config', 'signalbox.yaml', 'a', 'b']) replace(name, 'new\n');
    expect(await textOf('cat .git/config signalbox.yaml a b; ls')).toBe(
      'new\nnew\nnew\nnew\na\nb\nsignalbox.yaml\n',
    );
  });

  test('exists for as many commands as came at once, one each', async () => {
    await harness.close();
    // With a stopped clock they count as simultaneous on a busy machine too.
    harness = createHarness({ transactions, clock: { ...systemClock, monotonic: () => 0 } });
    const lines = ['echo 1', 'echo 2', 'echo 3'];
    await Promise.all(lines.map(textOf));
    await waiting(1 + lines.length);
    expect(await Promise.all(lines.map(textOf))).toEqual(['1\n', '2\n', '3\n']);
  });

  test('is restarted when its start failed', async () => {
    const [failing, bubblewrap] = ['failing', 'bwrap'].map((name) => join(harness.folder, name)) as [
      string,
      string,
    ];
    const script = `if rm ${failing} 2>/dev/null; then exit 1; fi; exec bwrap "$@"`;
    writeFileSync(bubblewrap, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    const wrapped = createHarness({ transactions, bubblewrap });
    await wrapped.run('true');
    await waiting(2, { at: wrapped });
    writeFileSync(failing, '');
    await wrapped.run('true');
    await expect.poll(() => existsSync(failing)).toBe(false);
    await waiting(2, { at: wrapped });
    await wrapped.close();
  });

  test('is replaced when it was killed', async () => {
    await harness.run('true');
    await waiting();
    const killed = processesIn(harness.workspace);
    for (const pid of killed) sendSignal(pid, 'SIGKILL');
    await expect.poll(() => killed.filter(isAlive)).toEqual([]);
    expect(await textOf('echo here')).toBe('here\n');
  });
});
