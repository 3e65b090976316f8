import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testsOf } from './tests-of.ts';

test('testsOf() finds the tests of the package that import a changed file, nearest first', () => {
  using root = createFolder({
    'packages/one/src/deep.ts': '',
    'packages/one/src/near.ts': `import { deep } from './deep.ts';`,
    'packages/one/src/near.test.ts': `import { near } from './near.ts';`,
    'packages/one/src/z/deep.test.ts': `const { deep } = await import('../deep.ts');`,
    'packages/one/src/a.test.ts': `import type { Deep } from './deep.ts';`,
    'packages/two/src/two.test.ts': `import { deep } from '@signalbox/one';`,
  });
  expect(testsOf(root.path, ['packages/one/src/deep.ts'])).toEqual({
    run: ['packages/one/src/z/deep.test.ts', 'packages/one/src/near.test.ts'],
    left: 0,
  });
});

test('testsOf() takes a changed test, a script read by its address, and no deleted test', () => {
  using root = createFolder({
    'scripts/a.test.ts': '',
    'packages/one/src/claim.ts': `const url = new URL('./claim.lua', import.meta.url);`,
    'packages/one/src/claim.test.ts': `import { claim } from './claim.ts';`,
  });
  const changed = ['scripts/a.test.ts', 'packages/one/src/claim.lua', 'packages/one/src/deleted.test.ts'];
  expect(testsOf(root.path, changed).run).toEqual(['scripts/a.test.ts', 'packages/one/src/claim.test.ts']);
});

test('testsOf() takes ten files, and counts the others', () => {
  const tests = Array.from({ length: 12 }, (_, i) => [`scripts/${i}.test.ts`, `import './a.ts';`] as const);
  using root = createFolder({ 'scripts/a.ts': '', ...Object.fromEntries(tests) });
  const { run, left } = testsOf(root.path, ['scripts/a.ts']);
  expect({ run: run.length, left }).toEqual({ run: 10, left: 2 });
});

function createFolder(files: Readonly<Record<string, string>>) {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-tests-of-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
