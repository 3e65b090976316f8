import { readSessionRules } from '@signalbox/coordinator';
import { shortId, UnavailableError, UserRule } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { withLetters } from '../frame/with-remote.ts';

/** Rules that people gave to sessions that are at work now; none where no coordinator runs. */
export async function rulesOfSessions({ doors, directory }: Context): Promise<readonly UserRule[]> {
  const records = await doors.openRecords({ workspace: directory });
  try {
    if (records === null || (await records.holder()) === null) return [];
    return (await readSessionRules(records.facts)).flatMap(({ session, rule }) => {
      const { data } = UserRule.safeParse(rule);
      const source = `session ${shortId(session)}`;
      return data === undefined ? [] : [{ ...data, layer: 'session' as const, source, file: source }];
    });
  } finally {
    await records?.close();
  }
}

/** Takes a rule from the session that has it; false when none has, or no coordinator runs. */
export async function removeFromSession(id: string, context: Context): Promise<boolean> {
  return withLetters(context, 'remove a rule', ({ sessionRules }) => sessionRules.remove(id)).catch(
    (error: unknown) => {
      if (error instanceof UnavailableError && NOBODY_RUNS.has(error.code)) return false;
      throw error;
    },
  );
}

const NOBODY_RUNS: ReadonlySet<string> = new Set(['no-coordinator', 'no-records']);
