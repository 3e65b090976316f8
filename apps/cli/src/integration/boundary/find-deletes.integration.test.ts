import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'test' } as const;
const FILES = {
  'src/a.js': '1\n',
  'src/deep/b.js': '2\n',
  'src/c.ts': '3\n',
  'src/.env': 'KEY=1\n',
  'conf/x.yaml': 'x: 1\n',
  'signalbox.yaml': 'version: 1\n',
};

/** The result of a line that was approved, and what the approver was shown. */
async function approved(own: TestRuntime, line: string) {
  const asked = own.submit('openai', 'bash', { args: { line } });
  const { commandId } = asked;
  await own.event('approval_requested', (event) => event.commandId === commandId);
  const { approvals } = own.runtime.coordinator;
  const shown = await approvals.preview(commandId);
  const hash = (await own.runtime.store.get(commandId))?.approval?.callHash;
  if (hash === undefined) throw new Error('nobody was asked');
  await approvals.answer(commandId, { kind: 'approve' }, { by: ANA, expect: hash });
  return { shown, result: await asked.result };
}

const left = (own: TestRuntime): readonly string[] =>
  Object.keys(FILES).filter((path) => existsSync(join(own.workspace, path)));

test('find -delete of some names needs approval, shows the files, and deletes exactly those', async () => {
  await using own = await openTestRuntime({ files: FILES });
  const { shown, result } = await approved(own, "find . -name '*.js' -delete");
  expect(shown?.parts).toMatchObject([{ kind: 'removal', files: 2 }]);
  expect(result.success).toBe(true);
  expect(left(own)).toEqual(['src/c.ts', 'src/.env', 'conf/x.yaml', 'signalbox.yaml']);
});

test('find -delete that meets protected files deletes the others, and fails for those', async () => {
  await using own = await openTestRuntime({ files: FILES });
  const { result } = await approved(own, "find . \\( -name '*.yaml' -o -name '*.env' \\) -delete");
  expect(result.success).toBe(false);
  expect(result.stderr).toMatch(/signalbox\.yaml[^]*\.env|\.env[^]*signalbox\.yaml/);
  expect(left(own)).toEqual(['src/a.js', 'src/deep/b.js', 'src/c.ts', 'src/.env', 'signalbox.yaml']);
});

test('find -delete of everything, or of git, is refused without approval', async () => {
  await using own = await openTestRuntime({ files: FILES });
  for (const line of ['find . -delete', "find . -name '.*' -delete", "find .git -name '*.lock' -delete"]) {
    const result = await own.call('openai', 'bash', { line });
    expect([line, result.success, JSON.stringify(result)]).toEqual([
      line,
      false,
      expect.stringContaining('protected'),
    ]);
  }
  expect(left(own)).toEqual(Object.keys(FILES));
});
