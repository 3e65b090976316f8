import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodesOf, overlaps, pathResource, Resource, treeResource, WORKSPACE } from './resource.ts';

test.for([
  ['workspace', ['workspace']],
  ['path:src/a.ts', ['workspace', 'src', 'a.ts']],
  ['tree:src', ['workspace', 'src']],
  ['git:index', ['workspace', '.git', 'index']],
  ['port:3000', ['port', '3000']],
  ['net', ['net']],
  ['npm-cache', ['npm-cache']],
] as const)('%s has the nodes %j', ([name, nodes]) => {
  expect(nodesOf(Resource.parse(name))).toEqual(nodes);
});

test.for([
  ['path:src/a.ts', 'path:src/a.ts', true],
  ['path:src/a.ts', 'path:src/b.ts', false],
  ['path:src/a.ts', 'tree:src', true],
  ['tree:src', 'tree:src/deep', true],
  ['tree:src', 'tree:src-old', false],
  ['path:src', 'path:src/a.ts', true],
  ['workspace', 'path:src/a.ts', true],
  ['workspace', 'git:index', true],
  ['git:index', 'git:refs', false],
  ['tree:.git', 'git:index', true],
  ['workspace', 'net', false],
  ['port:3000', 'port:80', false],
  ['port', 'port:80', true],
] as const)('%s and %s overlap: %s', ([a, b, answer]) => {
  expect(overlaps(Resource.parse(a), Resource.parse(b))).toBe(answer);
  expect(overlaps(Resource.parse(b), Resource.parse(a))).toBe(answer);
});

test.for(['', 'path:', 'path:/etc/passwd', 'path:../a', 'tree:a//b', 'path:a/.', 'tree:a/../b', 'path:a\0b'])(
  '%j is not a resource',
  (name) => {
    expect(Resource.safeParse(name).success).toBe(false);
  },
);

test('the workspace is one resource, whether named as a file or as a directory', () => {
  expect([pathResource('.'), treeResource('.')]).toEqual([WORKSPACE, WORKSPACE]);
});

test('two paths overlap exactly when one is a prefix of the other, segment by segment', () => {
  fc.assert(
    fc.property(someSegments, someSegments, (a, b) => {
      const shorter = Math.min(a.length, b.length);
      const begins = a.slice(0, shorter).join('/') === b.slice(0, shorter).join('/');
      expect(overlaps(pathResource(a.join('/')), treeResource(b.join('/')))).toBe(begins);
    }),
    { numRuns: 1000 },
  );
});

test('every resource overlaps itself, and the workspace overlaps every path', () => {
  fc.assert(
    fc.property(someSegments, (segments) => {
      const resource = pathResource(segments.join('/'));
      expect([overlaps(resource, resource), overlaps(WORKSPACE, resource)]).toEqual([true, true]);
    }),
  );
});

const someSegments = fc.array(fc.constantFrom('a', 'b', 'ab', 'a.ts', '.git'), {
  minLength: 1,
  maxLength: 5,
});
