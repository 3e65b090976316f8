import { basename } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import type { Records } from '../house.ts';
import { as, line, muted } from '../screen/line.ts';
import { dateAndTime } from '../screen/look.ts';
import { isBackendAway } from '../client/client-at.ts';
import { findLocalAccess, type LocalAccess } from '../serve/local-access.ts';
import { namedServer } from '../serve/named-server.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { sightOfNothing } from '../sight/sight-of-nothing.ts';
import { sightOfRecords } from '../sight/sight-of-records.ts';
import { sightOfServer } from '../sight/sight-of-server.ts';
import type { Sight } from '../sight/sight.ts';
import type { Context } from './context.ts';
import { sayWhoTold, storeBeside } from './say-who-told.ts';
import { withRecordsIfAny } from './with-records.ts';

/**
 * Works with what can be seen of the workspace: of the server that `--server` names, else of what is stored here; where
 * that is in a Redis that is away, of what a coordinator on this machine last knew, and says so; where nothing has ever
 * happened, of nothing, and says how to begin.
 *
 * @throws {UnavailableError} `no-answer` where no server answers.
 * @throws {UsageError} `no-token` and the like, before anything was sent.
 */
export async function withSight<Answer>(
  context: Context,
  work: (sight: Sight) => Promise<Answer>,
): Promise<Answer> {
  const { flags, clock } = context;
  const named = namedServer(flags, context);
  if (named !== null) {
    return sayWhoTold(
      context,
      async () => `the server at ${named.url}`,
      () => work(sightAt(named, context)),
    );
  }
  return withRecordsOr(context, (records) => work(sightOfRecords(records, clock)), work);
}

/**
 * Works with what is stored here; where that is in a Redis that is away, with what a coordinator here last knew, and
 * where nothing has ever happened, with nothing.
 */
export async function withRecordsOr<Answer>(
  context: Context,
  beside: (records: Records) => Promise<Answer>,
  without: (sight: Sight, why: 'away' | 'nothing') => Promise<Answer>,
): Promise<Answer> {
  const access = findLocalAccess(context.directory);
  // A Redis that is frozen would be asked for long.
  if (access?.host !== undefined && (await isBackendAway(access)))
    return without(sightAt(access, context), 'away');
  let isOpen = false;
  try {
    return await withRecordsIfAny(
      context,
      (records) => {
        isOpen = true;
        const who = async (timeOf: (at: number) => string): Promise<string> =>
          storeBeside(await records.holder(), timeOf);
        return sayWhoTold(context, who, () => beside(records));
      },
      () => {
        isOpen = true;
        return without(sightOfEmpty(context), 'nothing');
      },
    );
  } catch (error) {
    if (access === null || isOpen || !isRedisAway(error)) throw error;
    return without(sightAt(access, context), 'away');
  }
}

function sightOfEmpty(context: Context): Sight {
  sayHowToBegin(context);
  return sightOfNothing(async () => (await loadSettings(context)).settings.mode, context.clock.now());
}

/** For who looks where nothing has ever happened. */
export function sayHowToBegin({ directory, say }: Pick<Context, 'directory' | 'say'>): void {
  say([
    line(
      muted(`No history in "${basename(directory)}" yet.  Start with: `),
      as('accent', 'signalbox run "…"'),
    ),
  ]);
}

/** Says once when what it tells is not of now. */
function sightAt(access: LocalAccess, context: Context): Sight {
  let told = false;
  return sightOfServer(access, context.clock, (asOf) => {
    if (told) return;
    told = true;
    const at = dateAndTime(asOf, context.lookOfTalk());
    context.tell([line(as('warn', 'Redis is away'), `: this is of ${at}, as a coordinator last knew it`)]);
  });
}

function isRedisAway(error: unknown): boolean {
  return error instanceof UnavailableError && (error.code === 'redis-gone' || error.code === 'redis-refused');
}
