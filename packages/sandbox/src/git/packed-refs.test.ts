import { expect, test } from 'vitest';
import { parsePackedRefs } from './packed-refs.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const HEADER = '# pack-refs with: peeled fully-peeled sorted \n';

test('parsePackedRefs() reads the format git writes: a header, peeled tags, UTF-8 names', () => {
  const text = `${HEADER}${A} refs/heads/main\n${B} refs/heads/ü\n${A} refs/tags/v1\n^${B}\n`;
  expect([...(parsePackedRefs(Buffer.from(text).toString('latin1')) ?? [])]).toEqual([
    ['refs/heads/main', A],
    ['refs/heads/ü', B],
    ['refs/tags/v1', A],
  ]);
  expect([parsePackedRefs('')?.size, parsePackedRefs(HEADER)?.size]).toEqual([0, 0]);
});

test.for([
  ['another blank', `${A}\trefs/heads/main\n`],
  ['two spaces', `${A}  refs/heads/main\n`],
  ['the ref in a row of its own', `${A}\nrefs/heads/main\n`],
  ['a carriage return', `${A} refs/heads/main\r\n`],
  ['capital letters', `${A.toUpperCase()} refs/heads/main\n`],
  ['an end without a newline', `${A} refs/heads/main`],
  ['an empty row', `${A} refs/heads/main\n\n`],
  ['a second header', `${HEADER}#\n`],
  ['a peeled id of nothing', `${HEADER}^${A}\n`],
  ['two peeled ids', `${A} refs/tags/v1\n^${B}\n^${B}\n`],
  ['a ref twice', `${A} refs/heads/main\n${B} refs/heads/main\n`],
  ['refs out of order', `${A} refs/heads/main\n${B} refs/heads/a\n`],
] as const)('parsePackedRefs() rejects %s', ([, text]) => {
  expect(parsePackedRefs(text)).toBeNull();
});
