import { expect, test } from 'vitest';
import { createPathDenial } from './path-denial.ts';

test('createPathDenial() denies what the patterns name and everything below, ignoring case', () => {
  const isDenied = createPathDenial(['keys', '**/*.pem'], { workspace: '/w', home: '/home/ana' });
  expect(['keys', 'keys/a', 'KEYS/a', 'src/x.PEM'].map(isDenied)).toEqual([true, true, true, true]);
  expect(['key', 'src/keys.ts', 'src/x.pem.txt'].map(isDenied)).toEqual([false, false, false]);
});
