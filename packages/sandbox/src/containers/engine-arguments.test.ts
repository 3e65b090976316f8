import { expect, test } from 'vitest';
import { aShellRequest } from '@signalbox/core/testing';
import { withWrittenBounds } from '../limits/written-bounds.ts';
import { withMemoryBound } from '../limits/bounded-limits.ts';
import { runArguments } from './engine-arguments.ts';

test('a container gets our seccomp filter instead of the engine’s, no capabilities and no network', () => {
  const { limits } = withMemoryBound(aShellRequest('true'));
  const argv = runArguments(
    { engine: ['docker'], image: 'image' },
    {
      name: 'one',
      channels: '/state/channels',
      mounts: [],
      network: 'off',
      limits: withWrittenBounds(limits, 1024),
      seccomp: '/state/seccomp.json',
      init: ['/bin/bash'],
    },
  );
  const options = argv.flatMap((word, at) => (word === '--security-opt' ? [argv[at + 1]] : []));
  expect(options).toEqual(['no-new-privileges', 'seccomp=/state/seccomp.json']);
  expect(argv.join(' ')).toMatch(/--read-only --cap-drop ALL .*--network none/);
});
