import { basename } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import type { Records } from '../../runtime/contract/runtime.ts';
import type { Context } from '../../runtime/contract/context.ts';

/**
 * Works with the workspace's records, and closes them.
 *
 * @throws {UnavailableError} `no-records` if there are none
 */
export async function withRecords<Answer>(
  context: Where,
  work: (records: Records) => Promise<Answer>,
): Promise<Answer> {
  return withRecordsIfAny(context, work, () => {
    throw new UnavailableError(
      'no-records',
      `Cannot read the records of "${basename(context.directory)}": nothing has run here yet`,
      {
        why: ['there is no .signalbox folder with records in this directory'],
        next: ['signalbox run "…"', 'signalbox demo', '-C DIR for another workspace'],
      },
    );
  });
}

type Where = Pick<Context, 'entry' | 'directory' | 'env'>;

/** Like {@link withRecords}, with a fallback if there are none. */
export async function withRecordsIfAny<Answer>(
  { entry, directory, env }: Where,
  work: (records: Records) => Promise<Answer>,
  without: () => Promise<Answer>,
): Promise<Answer> {
  const records = await entry.openRecords({ workspace: directory, env });
  if (records === null) return without();
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}
