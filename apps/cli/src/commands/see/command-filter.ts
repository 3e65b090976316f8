import {
  type CommandStore,
  Level,
  nearestWord,
  type OutcomeKind,
  type PageFilter,
  UsageError,
} from '@signalbox/core';
import * as z from 'zod';
import { FilterArgument, OUTCOMES } from '../../client/readers/record-filter.ts';
import { CountArgument, DurationArgument, ProviderArgument } from '../table/argument-schemas.ts';
import { findSession } from '../../client/readers/find-session.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { pathInWorkspace } from '../../client/readers/path-in-workspace.ts';

/** The filter flags of `commands` and `history`. */
export const filterArguments = {
  /** For conditions that other flags can't express; applied after them. */
  filter: FilterArgument.optional(),
  provider: ProviderArgument.optional(),
  tool: z.string().optional(),
  outcome: z.array(z.string()).optional(),
  session: z.string().optional(),
  level: Level.optional(),
  path: z.string().optional(),
  text: z.string().optional(),
  since: DurationArgument.optional(),
  limit: CountArgument.optional(),
  cursor: z.string().optional(),
};
type FilterArguments = z.infer<z.ZodObject<typeof filterArguments>>;

/**
 * The page filter, without the typed one.
 *
 * @throws {UsageError} `unknown-id`, `ambiguous-id` of the session
 */
export async function toPageFilter(
  { outcome, session, since, path, filter: _typed, ...same }: FilterArguments,
  context: Pick<Context, 'clock' | 'cwd' | 'directory' | 'flags'>,
  commands: Pick<CommandStore, 'list'>,
): Promise<PageFilter> {
  const filter = {
    ...same,
    outcomes: outcome?.map(outcomeOf),
    sessionId: session === undefined ? undefined : await findSession(commands, session),
    from: since === undefined ? undefined : context.clock.now() - since,
    path: path === undefined ? undefined : pathInWorkspace(path, context),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function outcomeOf(word: string): OutcomeKind {
  const known = OUTCOMES.find((kind) => kind === word);
  if (known !== undefined) return known;
  const meant = nearestWord(word, OUTCOMES);
  throw new UsageError('usage', `Cannot filter by outcome "${word}": there is no such outcome`, {
    why: [`one of ${OUTCOMES.join(', ')}`],
    next: meant === undefined ? [] : [`did you mean: --outcome ${meant}`],
  });
}
