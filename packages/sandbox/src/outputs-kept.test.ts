import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHarness } from './testing/sandbox-harness.ts';

test('full texts of output are kept up to a bound, the newest first', async () => {
  const copiesKept = { maxAgeMs: Infinity, maxBytes: 500_000 };
  const harness = createHarness({ transactionRules: { copiesKept } });
  onTestFinished(() => harness.close());
  for (const commandId of ['cmd_aaaaaaaaaaaa', 'cmd_bbbbbbbbbbbb', 'cmd_cccccccccccc'] as never[]) {
    const { stdout } = await harness.run('head -c 200000 /dev/zero', { commandId });
    expect(stdout.spillFile).toBeDefined();
  }
  const left = readdirSync(join(harness.workspace, '.signalbox/output'));
  expect(left.toSorted()).toEqual(['cmd_bbbbbbbbbbbb.stdout', 'cmd_cccccccccccc.stdout']);
});
