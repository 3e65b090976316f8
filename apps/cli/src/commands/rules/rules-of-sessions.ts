import { readSessionRules } from '@signalbox/coordinator';
import { shortId, UserRule } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { unlessRefused } from '../../client/send-to.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';

/** Rules that users gave to active sessions; empty without a coordinator. */
export async function rulesOfSessions({ entry, directory }: Context): Promise<readonly UserRule[]> {
  const records = await entry.openRecords({ workspace: directory });
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

/** Removes a rule from its session; false if no session has it, or no coordinator runs. */
export async function removeFromSession(id: string, context: Context): Promise<boolean> {
  const what = 'remove a rule';
  if ((await findCoordinator(context, what)) === null) return false;
  return withCoordinator(context, { what, start: false }, async ({ removeRule }) => {
    return (await unlessRefused('unknown-rule', removeRule({ layer: 'session', id }))) !== null;
  });
}
