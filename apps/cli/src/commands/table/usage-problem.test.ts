import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';

test('an unknown word for an argument is named with the valid ones, never in the words of a library', async () => {
  const { signalbox } = createTestTerminal(tmpdir());
  expect(await signalbox('bench', 'hotfile')).toEqual({
    exit: 2,
    out: '',
    talk: `error[usage]: Cannot run "signalbox bench hotfile": there is no such SCENARIO
  why   SCENARIO is one of disjoint, hot-file, mixed, monorepo, git-storm, approval-flood, chaos, compare
  next  did you mean: signalbox bench hot-file
        signalbox bench --help
`,
  });
  for (const argv of [
    ['audit', 'no'],
    ['token', 'no'],
    ['leases', 'no'],
    ['completion', 'tcsh'],
  ]) {
    const { exit, talk } = await signalbox(...argv);
    expect([exit, talk]).toEqual([
      2,
      expect.stringMatching(/there is no such [A-Z]+\n {2}why {3}[A-Z]+ is one of /),
    ]);
  }
});

test('an invalid value for a flag is named with the valid ones, and a missing value is named', async () => {
  const { signalbox } = createTestTerminal(tmpdir());
  expect((await signalbox('commands', '--limit', '0')).talk).toContain(
    'Cannot run "signalbox commands": --limit: must be a whole number, at least 1',
  );
  expect((await signalbox('tools', '--category', 'exec')).talk).toContain(
    '--category: must be one of read_only, system_write, execute, network, internal',
  );
  expect((await signalbox('exec')).talk).toContain(
    'Cannot run "signalbox exec": the shell line after -- is missing',
  );
});
