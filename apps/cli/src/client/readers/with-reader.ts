import { coordinatorHere } from '../coordinator-here.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { reportAsOf, printHowToBegin, reportSource, sourceOf, STORED } from '../report-source.ts';
import { withRecordsIfAny } from './with-records.ts';
import { namedServer } from '../named-server.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { Reader } from './reader.ts';
import { serverReader } from './server-reader.ts';

/**
 * Reads the workspace: from the server in `--server`, else from the coordinator that runs here, else from the records.
 * Without any records it reads nothing and says how to begin.
 *
 * @throws {UnavailableError} `no-answer` if the named server does not answer
 * @throws {UsageError} `no-token` and the like, before anything was sent
 */
export async function withReader<Answer>(
  context: Context,
  work: (reader: Reader) => Promise<Answer>,
): Promise<Answer> {
  const access = namedServer(context.flags, context) ?? (await coordinatorHere(context));
  if (access !== null)
    return reportSource(context, sourceOf(access), () =>
      work(serverReader(access, context.clock, reportAsOf(context))),
    );
  return withRecordsIfAny(
    context,
    (records) =>
      reportSource(context, STORED, async () => {
        const { storeReader } = await import('./store-reader.ts');
        return work(storeReader(records, context.clock));
      }),
    async () => work(await readerOfNothing(context)),
  );
}

async function readerOfNothing(context: Context): Promise<Reader> {
  printHowToBegin(context);
  const [{ emptyReader }, { settings }] = await Promise.all([
    import('./empty-reader.ts'),
    loadSettings(context),
  ]);
  return emptyReader(settings.mode, context.clock.now());
}
