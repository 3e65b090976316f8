import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withErrorCodes } from './error-codes-page.ts';

const PAGE = new URL('../../../../../docs/api.md', import.meta.url);

test('docs/api.md lists every error code with its meaning; `node apps/cli/src/docs.ts` updates it', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(withErrorCodes(page)).toBe(page);
});

test('a page without markers is refused, not rewritten', () => {
  expect(() => withErrorCodes('# API\n')).toThrow(RangeError);
});
