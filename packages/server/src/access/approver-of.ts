import type { Approver } from '@signalbox/core';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { visitorOfRequest } from './authenticate.ts';

/** What a client of the coordinator's own account is; it changes what is recorded, and nothing that it may do. */
const CHANNEL_HEADER = 'signalbox-channel';
const Stated = z.enum(['terminal', 'cli', 'mcp']);

/** Who sends it, and over which channel: told by the token, but for clients of this account, which state their own. */
export function approverOf(request: FastifyRequest): Approver {
  const { kind, name } = visitorOfRequest(request);
  if (kind === 'browser') return { name, channel: 'dashboard' };
  const stated = kind === 'local' ? Stated.safeParse(request.headers[CHANNEL_HEADER]).data : undefined;
  return { name, channel: stated ?? 'api' };
}
