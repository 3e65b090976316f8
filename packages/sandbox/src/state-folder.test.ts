import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHarness } from './testing/sandbox-harness.ts';

test('temporary files of a killed process are removed at the next start, except recent ones', async () => {
  const harness = createHarness();
  const folder = join(harness.workspace, '.signalbox');
  mkdirSync(folder);
  const id = '707fb0b4-8b8d-479e-be94-fbdf61441e68';
  const [old, others] = [
    [`pipe-${id}-3`, `filter-${id}`, `gitconfig-${id}`],
    ['gitconfig', 'pipe-notes', 'audit.jsonl'],
  ];
  for (const name of [...old, ...others]) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 0, 0);
  }
  writeFileSync(join(folder, `pipe-${id}-4`), '');
  await harness.run('true');
  const left = (names: readonly string[]): readonly string[] =>
    names.filter((name) => existsSync(join(folder, name)));
  expect(left(old)).toEqual([]);
  expect(left([...others, `pipe-${id}-4`])).toEqual([...others, `pipe-${id}-4`]);
  await harness.close();
});
