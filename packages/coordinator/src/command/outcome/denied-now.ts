import type { Ruling } from '@signalbox/core';

/** For a command that was allowed before but no longer is, with its lease in hand. */
export function deniedNow(why: string): Ruling {
  const message = `It may no longer run: ${why}`;
  return {
    kind: 'deny',
    rule: 'checked-again',
    source: 'built in',
    reason: message,
    outcome: 'denied',
    failure: { code: 'checked-again', category: 'PolicyBlocked', message, visibility: 'visible' },
  };
}
