import { basename } from 'node:path';
import { PROTOCOL } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import { findCoordinator } from '../client/find-coordinator.ts';
import { as, line, muted } from '../screen/line.ts';
import { dateAndTime } from '../screen/look.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { namedServer } from '../serve/named-server.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { serverReader } from './server-reader.ts';
import type { Reader } from './reader.ts';
import type { Context } from '../frame/context.ts';
import { saySource, sourceOf } from '../frame/say-source.ts';
import { withRecordsIfAny } from '../frame/with-records.ts';

/**
 * Reads the workspace: from the server that `--server` names, else from the coordinator that runs here, else from what is
 * stored. Where nothing has ever happened it reads nothing, and says how to begin.
 *
 * @throws {UnavailableError} `no-answer` where the named server does not answer.
 * @throws {UsageError} `no-token` and the like, before anything was sent.
 */
export async function withReader<Answer>(
  context: Context,
  work: (reader: Reader) => Promise<Answer>,
): Promise<Answer> {
  const access = namedServer(context.flags, context) ?? (await coordinatorHere(context));
  if (access !== null) return saySource(context, sourceOf(access), () => work(readerAt(access, context)));
  return withRecordsIfAny(
    context,
    (records) =>
      saySource(context, STORED, async () => {
        const { storeReader } = await import('./store-reader.ts');
        return work(storeReader(records, context.clock));
      }),
    async () => work(await readerOfNothing(context)),
  );
}

export const STORED = 'what is stored here';

/** Null where none runs or answers, and where it is of another protocol: what is stored can be read all the same. */
export async function coordinatorHere(context: Context): Promise<LocalAccess | null> {
  try {
    const found = await findCoordinator(context, 'look');
    return found?.hello.protocol === PROTOCOL ? found.access : null;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    if (error.code === 'coordinator-hangs')
      context.say([line(muted('The coordinator does not answer: this is what is stored'))]);
    return null;
  }
}

export async function readerOfNothing(context: Context): Promise<Reader> {
  sayHowToBegin(context);
  const [{ emptyReader }, { settings }] = await Promise.all([
    import('./empty-reader.ts'),
    loadSettings(context),
  ]);
  return emptyReader(settings.mode, context.clock.now());
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

/** Says once that an answer is not of now: Redis is away. */
export function readerAt(access: LocalAccess, context: Context): Reader {
  let told = false;
  return serverReader(access, context.clock, (asOf) => {
    if (told) return;
    told = true;
    const at = dateAndTime(asOf, context.lookOfTalk());
    context.tell([line(as('warn', 'Redis is away'), `: this is of ${at}, as a coordinator last knew it`)]);
  });
}
