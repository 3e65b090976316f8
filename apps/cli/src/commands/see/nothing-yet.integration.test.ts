import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('reading an empty workspace says so, and how to begin', async () => {
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace);
  const reported = { exit: 0, talk: expect.stringMatching(/^No history in ".*" yet\. {2}Start with: /) };
  for (const [subcommand, out] of [
    ['status', /server not running\n0 of 3 running .* 0 done/],
    ['commands', /^No commands/],
    ['queue', /^Queue is empty/],
    ['leases', /^No leases held/],
    ['diff', /^No changes are stored/],
    ['history', /^No finished commands/],
    ['stats', /^No commands finished/],
    ['audit', /^No lines in the audit log/],
    ['mode', /^NORMAL/],
  ] as const) {
    expect(await signalbox(subcommand)).toEqual({ ...reported, out: expect.stringMatching(out) });
  }
  expect(await signalbox('audit', 'verify')).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/ 0 lines/),
  });
  for (const id of ['@last', 'abcd']) {
    const { exit, talk } = await signalbox('status', id);
    expect([exit, talk]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `^No history in .* Start with: .*\nerror\\[unknown-id\\]: Cannot find command "${id}": there are no commands yet\n$`,
        ),
      ),
    ]);
  }
  expect(await signalbox('commands', '--follow')).toMatchObject({ exit: 6 });
});
