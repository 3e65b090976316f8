import type { loadReview } from '@signalbox/coordinator';
import type { Context } from '../runtime/contract/context.ts';
import type { Reader } from '../client/readers/reader.ts';
import { FILES_ELSEWHERE, filesHere } from '../runtime/server/files-here.ts';

/** Inputs of a review, from any reader. */
export function fromReader(
  reader: Pick<Reader, 'commands' | 'changesOf'>,
  { flags, directory, env }: Pick<Context, 'flags' | 'directory' | 'env'>,
): Parameters<typeof loadReview>[0] {
  return {
    list: (query) => reader.commands.list(query),
    changesOf: (id) => reader.changesOf(id),
    ...(flags.server === undefined ? filesHere(directory, env['PATH']) : FILES_ELSEWHERE),
  };
}
