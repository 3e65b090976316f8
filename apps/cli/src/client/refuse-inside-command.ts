import { UsageError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';

/** A provider can't approve its own call. */
export function refuseInsideCommand({ env }: Pick<Context, 'env'>, what: string): void {
  const inside = env['SIGNALBOX_COMMAND'];
  if (inside === undefined || inside === '') return;
  throw new UsageError('inside-command', `Cannot ${what} from inside command ${inside}`, {
    why: ['only a person may do that, in their own terminal'],
    next: ['ask the user to do it'],
  });
}
