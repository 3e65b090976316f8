import { nodesOf as nodesInCore, overlaps as overlapsInCore, Resource } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodesOf, overlaps, resourceText } from './resource-nodes.ts';

const segment = fc.constantFrom('src', 'a.ts', 'test', '.git', 'index');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const resource = fc
  .oneof(
    fc.constantFrom('workspace', 'git:index', 'git:refs', 'net', 'port:3000', 'npm-cache'),
    path.map((name) => `path:${name}`),
    path.map((name) => `tree:${name}`),
  )
  .map((name) => Resource.parse(name));

test('resources have the same nodes and overlaps as in core', () => {
  fc.assert(
    fc.property(resource, resource, (a, b) => {
      expect(nodesOf(a)).toEqual(nodesInCore(a));
      expect(overlaps(a, b)).toBe(overlapsInCore(a, b));
    }),
  );
});

test('a resource is named for people', () => {
  expect(['workspace', 'tree:src', 'path:src/a.ts', 'git:index'].map(resourceText)).toEqual([
    'the workspace',
    'src/',
    'src/a.ts',
    'git:index',
  ]);
});
