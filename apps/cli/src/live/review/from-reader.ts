import type { loadReview } from '@signalbox/coordinator';
import type { Context } from '../../runtime/contract/context.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { committedHere, ignoredHere } from '../../runtime/server/git-here.ts';

/** What a review is made from, wherever the commands are read. */
export function fromReader(
  reader: Pick<Reader, 'commands' | 'changesOf'>,
  { flags, directory, env }: Pick<Context, 'flags' | 'directory' | 'env'>,
): Parameters<typeof loadReview>[0] {
  return {
    list: (query) => reader.commands.list(query),
    changesOf: (id) => reader.changesOf(id),
    // Of a server elsewhere only that knows.
    ignoredByGit: async () =>
      flags.server === undefined ? ignoredHere(directory, env['PATH']) : () => false,
    committedInGit: async (changes) =>
      flags.server === undefined ? committedHere(changes, directory, env['PATH']) : new Map(),
  };
}
