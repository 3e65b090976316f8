import { basename } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import type { Records } from '../house.ts';
import type { Context } from './context.ts';

/**
 * Works with the stored past of the workspace and leaves it closed.
 *
 * @throws {UnavailableError} `no-records` where nothing has ever happened.
 */
export async function withRecords<Answer>(
  { doors, directory, env }: Pick<Context, 'doors' | 'directory' | 'env'>,
  work: (records: Records) => Promise<Answer>,
): Promise<Answer> {
  const records = await doors.openRecords({ workspace: directory, env });
  if (records === null) {
    throw new UnavailableError(
      'no-records',
      `Cannot look into "${basename(directory)}": nothing has happened here yet`,
      {
        why: ['there is no .signalbox folder with records in this directory'],
        next: ['signalbox run "…"', 'signalbox demo', '-C DIR for another workspace'],
      },
    );
  }
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}
