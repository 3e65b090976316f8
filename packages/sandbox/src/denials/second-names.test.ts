import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHarness } from '../testing/sandbox-harness.ts';

function openHarness() {
  const harness = createHarness({ transactions: 'where-possible' });
  onTestFinished(harness.close);
  const at = (path: string): string => join(harness.workspace, path);
  return { ...harness, at };
}

test('another name of a file that a command replaced stays readable', async () => {
  const { run, at } = openHarness();
  writeFileSync(at('a'), 'one\n');
  linkSync(at('a'), at('b'));
  await run('echo two > new && mv new a');
  expect((await run('cat b')).stdout.text).toBe('one\n');
});

test('another name of a secret in a denied folder cannot be read', async () => {
  const { run, at } = openHarness();
  mkdirSync(at('secrets'));
  writeFileSync(at('secrets/key'), 'hidden\n');
  linkSync(at('secrets/key'), at('b'));
  expect(await run('cat b')).toMatchObject({ stdout: { text: '' }, ended: { kind: 'exited', exitCode: 1 } });
});
