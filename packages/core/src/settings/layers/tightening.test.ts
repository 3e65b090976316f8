import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TIGHTENING } from './tightening.ts';

/** The target of these keys is guarded by separate rules. */
const GUARDED = ['providers.<id>.base_url', 'providers.<id>.api_key_env'];

test('docs/configuration.md marks exactly the keys that a shared file can only tighten', () => {
  const page = readFileSync(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
  const marked = [...page.matchAll(/^\| `([a-z_.<>]+)` ⚿/gm)].map(([, key = '']) => key);
  const rules = TIGHTENING.map(({ path }) =>
    path.map((part) => (part !== '*' ? part : path[0] === 'tools' ? '<tool>' : '<id>')).join('.'),
  );
  expect(marked.toSorted()).toEqual([...rules, ...GUARDED].toSorted());
});
