import { CHANNEL_HEADER, StatedChannel } from '@signalbox/api';
import type { Approver } from '@signalbox/core';
import type { FastifyRequest } from 'fastify';
import { visitorOfRequest } from './authenticate.ts';

/**
 * The sender and the channel. The access token decides both, except for clients of this account, which name their own
 * channel.
 */
export function approverOf(request: FastifyRequest): Approver {
  const { kind, name } = visitorOfRequest(request);
  if (kind === 'browser') return { name, channel: 'dashboard' };
  const stated = kind === 'local' ? StatedChannel.safeParse(request.headers[CHANNEL_HEADER]).data : undefined;
  return { name, channel: stated ?? 'api' };
}
