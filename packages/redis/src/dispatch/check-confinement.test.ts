import type { Isolation } from '@signalbox/core';
import { expect, test } from 'vitest';
import { checkConfinement } from './check-confinement.ts';

const HELD = { strength: 'enforced' } as const;
const OVERLAY: Isolation = {
  layer: 'overlay',
  fs: HELD,
  net: HELD,
  pid: HELD,
  syscalls: HELD,
  limits: { cpu: HELD, memory: HELD, processes: HELD, disk: HELD },
  tracking: HELD,
  ownFolders: ['/tmp', '/var/tmp'],
};
const NEEDS = { sandboxed: true, transactional: true, ownFolders: ['/tmp', '/var/tmp'] };

test('a worker that confines at least as much as the call was judged for accepts it', () => {
  const taken = [
    [OVERLAY, NEEDS],
    [OVERLAY, { sandboxed: true, transactional: true }],
    [
      { ...OVERLAY, layer: 'none' },
      { sandboxed: false, transactional: false },
    ],
  ] as const;
  for (const [isolation, needs] of taken) expect(() => checkConfinement(isolation, needs)).not.toThrow();
});

test('a worker that does not report a folder as private has no private folders', () => {
  const { ownFolders: _none, ...isolation } = OVERLAY;
  expect(() => checkConfinement(isolation, NEEDS)).toThrow('less confined');
});

test.each([
  ['no sandbox', { layer: 'none' }, { ...NEEDS, transactional: false }, 'checked for a sandbox'],
  ['no transactions', { layer: 'bind' }, NEEDS, 'checked as a transaction'],
  [
    'transactions that it can not follow',
    { tracking: { strength: 'sampled' } },
    NEEDS,
    'checked as a transaction',
  ],
  ['a shared /tmp', { ownFolders: ['/var/tmp'] }, NEEDS, 'with a private /tmp'],
  ['a shared /var/tmp', { ownFolders: ['/tmp'] }, NEEDS, 'with a private /var/tmp'],
] as const)('a worker with %s refuses it in words', (_what, has, needs, why) => {
  const isolation = { ...OVERLAY, ...has } as Isolation;
  const act = (): void => checkConfinement(isolation, needs);
  expect(act).toThrow(expect.objectContaining({ why: [expect.stringContaining(why)] }));
});
