import { basename } from 'node:path';
import { getYou } from '@signalbox/api';
import { revokeLease } from '@signalbox/coordinator';
import { UnavailableError, UsageError } from '@signalbox/core';
import type { Records } from '../house.ts';
import { createRemote, type Remote } from '../remote.ts';
import { remoteDesk } from '../run/asker-desk.ts';
import { createRuleDesk } from '../run/rule-desk.ts';
import { askServer } from '../serve/ask-server.ts';
import { type LocalAccess, present } from '../serve/local-access.ts';
import { serverFinder } from '../serve/named-server.ts';
import { httpDesk } from '../sight/http-desk.ts';
import { remoteOfServer } from '../sight/remote-of-server.ts';
import { sightOfRecords } from '../sight/sight-of-records.ts';
import { sightOfServer } from '../sight/sight-of-server.ts';
import type { Sight } from '../sight/sight.ts';
import type { Context } from './context.ts';
import { resultElsewhere } from './result-elsewhere.ts';
import { sayWhoTold, storeBeside } from './say-who-told.ts';
import type { Told } from './told.ts';
import { withRecordsIfAny } from './with-records.ts';

/**
 * Speaks with the coordinator of the server that `--server` names, else with the one that runs in the workspace.
 *
 * @throws {UnavailableError} `no-coordinator` when nothing runs there.
 */
export async function withRemote<Answer>(
  context: Context,
  what: string,
  work: (told: Told, sight: Sight) => Promise<Answer>,
): Promise<Answer> {
  refuseInsideCommand(context, what);
  if (context.flags.server !== undefined) {
    const access = present(serverFinder(context.flags, context)(), what);
    return sayWhoTold(
      context,
      async () => `the server at ${access.url}`,
      async () => work(await toldByServer(access), sightOfServer(access, context.clock)),
    );
  }
  return withLetters(context, what, (remote, records) => {
    const sight = sightOfRecords(records, context.clock);
    return work(
      {
        ...remote,
        revoke: (id, by, reason) =>
          revokeLease({ queue: records.queue, cancel: remote.cancel }, { id, by, reason }),
        desk: deskByLetters(remote, records, context),
      },
      sight,
    );
  });
}

/**
 * Speaks with the coordinator that runs in the workspace, by letters in its store.
 *
 * @throws {UnavailableError} `no-coordinator` when nothing runs there.
 */
export async function withLetters<Answer>(
  context: Context,
  what: string,
  work: (remote: Remote, records: Records) => Promise<Answer>,
): Promise<Answer> {
  refuseInsideCommand(context, what);
  const withNobody = (): never => {
    throw nothingRuns(context, what);
  };
  const ask = async (records: Records): Promise<Answer> => {
    const holder = await records.holder();
    if (holder === null) return withNobody();
    const remote = createRemote({
      facts: records.facts,
      clock: context.clock,
      random: context.random,
      addressees: records.addressees,
      resultOf: (id) => resultElsewhere(id, records, context.clock),
    });
    return sayWhoTold(
      context,
      async (timeOf) => storeBeside(holder, timeOf),
      () => work(remote, records),
    );
  };
  return withRecordsIfAny(context, ask, withNobody);
}

function deskByLetters(remote: Remote, records: Records, context: Context): Told['desk'] {
  const by = { name: context.user, channel: 'cli' } as const;
  const rules = createRuleDesk({
    context,
    sessionRules: remote.sessionRules,
    mode: async () => (await records.mode()).mode,
  });
  return (isWanted) => ({ ...remoteDesk(remote, records, by, isWanted), rules });
}

/** What is told to a server, in the name of its access token. */
export async function toldByServer(access: LocalAccess, channel?: 'terminal'): Promise<Told> {
  const { name } = await askServer(access, { method: 'GET', path: '/api/you' }, getYou.schema.response[200]);
  const desk = httpDesk(
    () => access,
    () => name,
    channel,
  );
  return {
    ...remoteOfServer(access),
    desk: (isWanted) => ({ ...desk, pending: async () => (await desk.pending()).filter(isWanted) }),
  };
}

function nothingRuns({ directory }: Context, what: string): UnavailableError {
  return new UnavailableError('no-coordinator', `Cannot ${what}: nothing runs in "${basename(directory)}"`, {
    why: ['a pending approval stays pending, and can be answered when work goes on'],
    next: ['signalbox run …', 'past: signalbox history'],
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
