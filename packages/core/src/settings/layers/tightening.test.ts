import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TIGHTENING } from './tightening.ts';

/** Where a key goes is guarded by rules of its own. */
const GUARDED = ['providers.<id>.base_url', 'providers.<id>.api_key_env'];

test('docs/configuration.md marks exactly the keys of which a shared file only tightens', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
  const marked = [...page.matchAll(/^\| `([a-z_.<>]+)` ⚿/gm)].map(([, key = '']) => key);
  const rules = TIGHTENING.map(({ path }) =>
    path.map((part) => (part !== '*' ? part : path[0] === 'tools' ? '<tool>' : '<id>')).join('.'),
  );
  expect(marked.toSorted()).toEqual([...rules, ...GUARDED].toSorted());
});
