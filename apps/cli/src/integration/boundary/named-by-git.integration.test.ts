import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorkspace, openTestHouse } from '../../testing/open-test-house.ts';

test('what the repository above the workspace names is asked about, also where nothing is yet', async () => {
  const above = createTestWorkspace({ 'app/a.txt': 'a\n' });
  execFileSync('git', ['config', 'core.hooksPath', 'app/hooks'], { cwd: above });
  execFileSync('git', ['config', 'diff.x.textconv', 'sh app/tools/tc.sh'], { cwd: above });
  await using own = await openTestHouse({
    settings: { approval: { approval_mode: 'allow_all' } },
    workspace: join(above, 'app'),
  });
  const line = 'mkdir -p hooks tools; echo x > hooks/pre-commit; echo x > tools/tc.sh';
  const { commandId } = own.submit('openai', 'bash', { line });
  await own.event('approval_requested', (event) => event.commandId === commandId);
  const record = await own.house.store.get(commandId);
  const found = record?.verdict?.reasons.filter(({ code }) => code === 'program-settings') ?? [];
  expect(found.map(({ text }) => text).join('\n')).toMatch(/hooks\/pre-commit[^]*tools\/tc\.sh/);
});
