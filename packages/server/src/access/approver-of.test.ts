import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { approverOf } from './approver-of.ts';
import type { Visitor } from './token-entry.ts';

const request = (kind: Visitor['kind'], channel?: string) =>
  ({
    visitor: { tokenId: 'tok_1', kind, name: 'ana', role: 'operator', provider: null },
    headers: channel === undefined ? {} : { 'signalbox-channel': channel },
  }) as Partial<FastifyRequest> as FastifyRequest;

test.for([
  ['local', undefined, 'api'],
  ['local', 'terminal', 'terminal'],
  ['local', 'cli', 'cli'],
  ['local', 'dashboard', 'api'],
  ['local', 'elsewhere', 'api'],
  ['made', undefined, 'api'],
  ['made', 'terminal', 'api'],
  ['browser', undefined, 'dashboard'],
  ['browser', 'terminal', 'dashboard'],
] as const)(
  'an approver with a %s token that states the channel %s is recorded as %s',
  ([kind, stated, channel]) => {
    expect(approverOf(request(kind, stated))).toEqual({ name: 'ana', channel });
  },
);
