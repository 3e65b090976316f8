import { UsageError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';

/** A provider can't approve its own call. */
export function refuseInsideCommand({ env }: Pick<Context, 'env'>, what: string): void {
  const inside = env['SIGNALBOX_COMMAND'];
  if (inside === undefined || inside === '') return;
  throw new UsageError('inside-command', `Cannot ${what} from inside command ${inside}`, {
    why: ['that is for people in their own terminal'],
    next: ['tell your person'],
  });
}
