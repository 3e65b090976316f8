import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';

test('audit verify misses the line of a command that has ended, and needs no records to read the log', async () => {
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace);
  const log = join(workspace, '.signalbox', 'audit.jsonl');
  await signalbox('exec', '--', 'true');
  const [first = ''] = readFileSync(log, 'utf8').split('\n');
  await signalbox('exec', '--', 'echo again');
  expect((await signalbox('audit', 'verify')).exit).toBe(0);

  writeFileSync(log, `${first}\n`);
  const cut = await signalbox('audit', 'verify');
  expect([cut.exit, cut.out]).toEqual([1, expect.stringContaining('no line tells of cmd_')]);

  writeFileSync(join(workspace, '.signalbox', 'state.db'), 'damaged');
  const alone = await signalbox('audit', 'verify');
  expect([alone.exit, alone.out]).toEqual([0, expect.stringContaining('1 line, 1 command')]);
  expect(alone.talk).toContain('Not compared with the records: Cannot read');
  expect((await signalbox('audit')).out).toContain('bash');
});
