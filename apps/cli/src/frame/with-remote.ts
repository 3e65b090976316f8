import { basename } from 'node:path';
import { UnavailableError, UsageError } from '@signalbox/core';
import type { Records } from '../house.ts';
import { createRemote, type Remote } from '../remote.ts';
import type { Context } from './context.ts';
import { resultElsewhere } from './result-elsewhere.ts';
import { withRecords } from './with-records.ts';

/**
 * Speaks with the running coordinator of the workspace.
 *
 * @throws {UnavailableError} `no-coordinator` when nothing runs there.
 */
export async function withRemote<Answer>(
  context: Context,
  what: string,
  work: (remote: Remote, records: Records) => Promise<Answer>,
): Promise<Answer> {
  refuseInsideCommand(context, what);
  return withRecords(context, async (records) => {
    if ((await records.holder()) === null) {
      throw new UnavailableError(
        'no-coordinator',
        `Cannot ${what}: nothing runs in "${basename(context.directory)}"`,
        {
          why: ['a pending approval stays pending, and can be answered when work goes on'],
          next: ['signalbox run …', 'past: signalbox history'],
        },
      );
    }
    return work(
      createRemote({
        facts: records.facts,
        clock: context.clock,
        random: context.random,
        addressees: records.addressees,
        resultOf: (id) => resultElsewhere(id, records, context.clock),
      }),
      records,
    );
  });
}

/** A provider cannot sign for itself. */
export function refuseInsideCommand({ env }: Pick<Context, 'env'>, what: string): void {
  const inside = env['SIGNALBOX_COMMAND'];
  if (inside === undefined || inside === '') return;
  throw new UsageError('inside-command', `Cannot ${what} from inside command ${inside}`, {
    why: ['that is for people in their own terminal'],
    next: ['tell your person'],
  });
}
