import { expect, test } from 'vitest';
import { createPathMatcher } from './path-matcher.ts';

const PATH_CONTEXT = { workspace: '/w', home: '/home/ana' };

test('a pattern names paths and everything below directories, and nothing outside the workspace', () => {
  const matches = createPathMatcher(['src', '**/*.md'], PATH_CONTEXT);
  const paths = [
    'src',
    'src/a/b.ts',
    'srcs',
    'README.md',
    'docs/x.md',
    'docs/x.ts',
    '../w2/x.md',
    '/w/src/a',
  ];
  expect(paths.filter(matches)).toEqual(['src', 'src/a/b.ts', 'README.md', 'docs/x.md', '/w/src/a']);
  expect(createPathMatcher(['**'], PATH_CONTEXT)('any/thing')).toBe(true);
});
