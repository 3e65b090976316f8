import { serverFinder } from '../serve/named-server.ts';
import { present } from '../serve/local-access.ts';
import { sightOfRecords } from '../sight/sight-of-records.ts';
import { sightOfServer } from '../sight/sight-of-server.ts';
import type { Sight } from '../sight/sight.ts';
import type { Context } from './context.ts';
import { withRecords } from './with-records.ts';

/**
 * Works with what can be seen of the workspace: of the server that `--server` names, else of what is stored here.
 *
 * @throws {UnavailableError} `no-records` where nothing has ever happened, `no-answer` where no server answers.
 * @throws {UsageError} `no-token` and the like, before anything was sent.
 */
export async function withSight<Answer>(
  context: Context,
  work: (sight: Sight) => Promise<Answer>,
): Promise<Answer> {
  const { flags, clock } = context;
  if (flags.server === undefined) {
    return withRecords(context, (records) => work(sightOfRecords(records, clock)));
  }
  return work(sightOfServer(present(serverFinder(flags, context)(), 'look'), clock));
}
