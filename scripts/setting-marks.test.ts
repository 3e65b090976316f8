import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtSettingsKeys } from '../packages/core/src/testing/settings-keys.ts';
import { settingMarksIn } from './setting-marks.ts';

/** Keys whose effect no test from outside can show, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const marks = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\/src\/.*\.test\.ts$/.test(path) && !path.includes('node_modules'))
    .flatMap((path) => settingMarksIn({ path, text: readFileSync(path, 'utf8') })),
);
const keys = builtSettingsKeys();

test('every settings key that is built names a test from outside, or why there is none', () => {
  const held = new Set([...marks.map(({ key }) => key), ...Object.keys(EXCEPTIONS)]);
  expect(keys.filter((key) => !held.has(key))).toEqual([]);
});

test('every mark names a key that is built, and only what has no test is an exception', () => {
  expect(marks.filter(({ key }) => !keys.includes(key))).toEqual([]);
  const stale = Object.keys(EXCEPTIONS).filter(
    (key) => !keys.includes(key) || marks.some((mark) => mark.key === key),
  );
  expect(stale).toEqual([]);
});

test('a test that holds a settings key runs always, and from outside', () => {
  const weak = marks.filter(
    ({ file, mayBeSkipped }) => mayBeSkipped || !file.endsWith('.integration.test.ts'),
  );
  expect(weak).toEqual([]);
});

test('marks are found in titles of tests and suites, and nowhere else', () => {
  const text = `
    // (setting: a)
    describe.skipIf(isSlow)('a suite (setting: b.c, d)', () => {
      test.for([['(setting: e)']])('a table: %s (S000-1) (setting: f)', () => expect('(setting: g)').toBe(1));
    });
    test.for([{ key: 'j', key2: 'k' }, { key: 'l, m' }])('each row (setting: $key)', () => {});
    test(\`\${one} more (setting: h)\`, () => {});
    it.todo('later (setting: i)');
  `;
  const found = settingMarksIn({ path: 'a.test.ts', text });
  expect(found.map(({ key, mayBeSkipped }) => [key, mayBeSkipped])).toEqual([
    ['b.c', true],
    ['d', true],
    ['f', true],
    ['j', false],
    ['l', false],
    ['m', false],
    ['h', false],
    ['i', true],
  ]);
});
