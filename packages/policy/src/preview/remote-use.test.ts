import { expect, test } from 'vitest';
import { remoteUseOf } from './remote-use.ts';

test.each([
  ['push', { verb: 'push', cwd: '.', remote: null, refs: [] }],
  ['-C sub push -u up a b:c', { verb: 'push', cwd: 'sub', remote: 'up', refs: ['a', 'b:c'] }],
  ['push -d up a', { verb: 'push', cwd: '.', remote: 'up', refs: [] }],
  ['fetch', { verb: 'fetch', cwd: '.', remote: null, refs: [] }],
  ['fetch -p --depth 1 up main', { verb: 'fetch', cwd: '.', remote: 'up', refs: [] }],
  ['pull --rebase -X ours up', { verb: 'pull', cwd: '.', remote: 'up', refs: [] }],
])('git %s uses a remote', (line, use) => {
  expect(remoteUseOf(line.split(' '), '.')).toEqual(use);
});

test.each([
  'fetch --all',
  'fetch --multiple a b',
  'fetch --depth',
  'push --repo',
  'log',
  '-c a.b=c fetch',
  '',
])('of git %s nobody can tell', (line) => expect(remoteUseOf(line.split(' '), '.')).toBe(null));
