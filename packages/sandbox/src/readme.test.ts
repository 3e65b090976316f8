import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runReadmeExample } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';

test('the example of the README prints what its comments promise', async () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const { printed, promised } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    WORKSPACE: workspace,
  });
  expect(printed).toEqual(promised);
  expect(promised).not.toEqual([]);
});
