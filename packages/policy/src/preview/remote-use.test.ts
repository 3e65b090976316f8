import { expect, test } from 'vitest';
import { remoteUseOf } from './remote-use.ts';

test.each([
  ['push', { verb: 'push', cwd: '.', remote: null, refs: [] }],
  ['-C sub push -u up a b:c', { verb: 'push', cwd: 'sub', remote: 'up', refs: ['a', 'b:c'] }],
  ['push -d up a', { verb: 'push', cwd: '.', remote: 'up', refs: [] }],
  ['fetch', { verb: 'fetch', cwd: '.', remote: null, refs: [] }],
  ['fetch -p --depth 1 up main', { verb: 'fetch', cwd: '.', remote: 'up', refs: [] }],
  ['pull --rebase -X ours up', { verb: 'pull', cwd: '.', remote: 'up', refs: [] }],
  ['pull -q --no-rebase up', { verb: 'pull', cwd: '.', remote: 'up', refs: [] }],
  ['push --recurse-submodules check up a', { verb: 'push', cwd: '.', remote: 'up', refs: ['a'] }],
  ['push -uf --force-with-lease=a:b up -- a', { verb: 'push', cwd: '.', remote: 'up', refs: ['a'] }],
  ['push --repo other up a', { verb: 'push', cwd: '.', remote: 'up', refs: ['a'] }],
  ['push --repo=up', { verb: 'push', cwd: '.', remote: 'up', refs: [] }],
  ['fetch --recurse-submodules-default no up', { verb: 'fetch', cwd: '.', remote: 'up', refs: [] }],
  ['fetch -j 4 --recurse-submodules up', { verb: 'fetch', cwd: '.', remote: 'up', refs: [] }],
])('git %s uses a remote', (line, use) => {
  expect(remoteUseOf(line.split(' '), '.')).toEqual(use);
});

test.each([
  'fetch --all',
  'fetch --multiple a b',
  'fetch --depth',
  'push --repo',
  // Git accepts abbreviations, and the word after an unknown option may be its value.
  'push --push-op x up a',
  'push --recurse-s check up a',
  'push --f up a',
  'push -z up a',
  'push -fz up a',
  'push --end-of-options up a',
  'fetch --dep 1 up',
  'fetch --strategy ours up',
  'pull --jobs up main',
  'pull -j up main',
  'pull --no-such up',
  // After a link it leads elsewhere.
  '-C a/.. push up',
  '-C .. -C b push up',
  'log',
  '-c a.b=c fetch',
  '',
])('git %s is not recognised', (line) => expect(remoteUseOf(line.split(' '), '.')).toBe(null));
