import { type Approval, type CommandRecord, shortId, UsageError } from '@signalbox/core';
import { clockTime, type RenderContext, timeOfDay } from '../terminal/render-context.ts';

/** Minimum number of hash digits to type. */
export const SHORTEST_HASH = 8;

type Verb = 'approve' | 'deny' | 'extend';
type Times = Pick<RenderContext, 'utcOffsetMs'>;

/** @throws {UsageError} when the command is no longer waiting for approval */
export function checkWaiting(record: CommandRecord, verb: Verb, times: Times): void {
  const { id, approval, state } = record;
  if (state === 'awaiting_approval') return;
  if (verb !== 'extend' && isExpired(record)) return;
  const cannot = `Cannot ${verb} ${shortId(id)}`;
  const see = [`signalbox status ${shortId(id)}`];
  switch (approval?.status) {
    case undefined:
      throw new UsageError('not-waiting', `${cannot}: it needed no approval`, { next: see });
    case 'pending':
      throw new UsageError('already-done', `${cannot}: it finished before it was answered`, { next: see });
    case 'expired':
      throw expired(record, approval, { cannot, times });
    case 'granted':
    case 'refused': {
      const { by, answeredAt, status } = approval;
      const reason = 'reason' in approval && approval.reason !== undefined ? `: “${approval.reason}”` : '';
      const when = timeOfDay(answeredAt, times);
      throw new UsageError(
        'already-decided',
        `${cannot}: ${by.name} ${status === 'granted' ? 'approved' : 'denied'} it at ${when}`,
        {
          why: [`the first answer counts${reason}`, `${record.context.provider} may ask again`],
          next: see,
        },
      );
    }
  }
}

/** The approval expired unanswered: a late answer applies to the next identical call. */
export function isExpired({ approval }: CommandRecord): boolean {
  return approval?.status === 'expired' && approval.answerable === true;
}

function expired(
  { context: { provider } }: CommandRecord,
  { requestedAt, expiresAt }: Approval,
  { cannot, times }: Readonly<{ cannot: string; times: Times }>,
): UsageError {
  const within = clockTime(expiresAt - requestedAt);
  return new UsageError('approval-expired', `${cannot}: it expired at ${timeOfDay(expiresAt, times)}`, {
    why: [`not answered within ${within}; ${provider} was notified and went on`],
    next: ['signalbox config set approval.expiry 1h', 'signalbox config set approval.on_expiry pause'],
  });
}

/** @throws {UsageError} when it is not the call that the user was shown */
export function checkHash(
  { id, approval }: CommandRecord,
  expect: string | undefined,
  { verb }: Readonly<{ verb: Verb }>,
): void {
  if (expect === undefined) return;
  const hash = approval?.callHash ?? '';
  if (expect.length >= SHORTEST_HASH && hash.startsWith(expect.toLowerCase())) return;
  throw new UsageError('changed-call', `Cannot ${verb} ${shortId(id)}: it is not the call you were shown`, {
    why: [`expected ${expect}, now ${hash.slice(0, SHORTEST_HASH)}`],
    next: [`signalbox approve ${shortId(id)}   shows it`],
  });
}
