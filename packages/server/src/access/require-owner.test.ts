import { expect, test } from 'vitest';
import { ownerNamed } from './request-origins.ts';
import { requireOwner } from './require-owner.ts';

test('an operator who came over a port is told that only the owner may do it, and where', () => {
  const owner = ownerNamed('ana');
  expect(() => requireOwner(owner, 'open a port')).not.toThrow();
  expect(() => requireOwner({ ...owner, tokenId: 'tok_1' }, 'open a port')).toThrow(
    expect.objectContaining({
      status: 403,
      code: 'owner-only',
      message: 'Cannot open a port: only the owner of the workspace may',
      why: ['the request came over a port, not over the socket of the workspace'],
      next: ['signalbox serve   there'],
    }),
  );
});
