import { Level, Outcome, type OutcomeKind, type PageFilter, UsageError } from '@signalbox/core';
import * as z from 'zod';
import {
  CountArgument,
  DurationArgument,
  ProviderArgument,
  SessionArgument,
} from '../frame/argument-schemas.ts';
import { nearest } from '../frame/nearest.ts';

/** The filter flags of `commands` and `history`. */
export const filterArguments = {
  provider: ProviderArgument.optional(),
  tool: z.string().optional(),
  outcome: z.array(z.string()).optional(),
  session: SessionArgument.optional(),
  level: Level.optional(),
  path: z.string().optional(),
  text: z.string().optional(),
  since: DurationArgument.optional(),
  limit: CountArgument.optional(),
  cursor: z.string().optional(),
};
type FilterArguments = z.infer<z.ZodObject<typeof filterArguments>>;

/** What they mean. */
export function toCommandFilter(
  { outcome, session, since, ...same }: FilterArguments,
  now: number,
): PageFilter {
  const filter = {
    ...same,
    outcomes: outcome?.map(outcomeOf),
    sessionId: session,
    from: since === undefined ? undefined : now - since,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

const OUTCOMES: readonly OutcomeKind[] = Outcome.options.map((option) => option.unwrap().shape.kind.value);

function outcomeOf(word: string): OutcomeKind {
  const known = OUTCOMES.find((kind) => kind === word);
  if (known !== undefined) return known;
  const meant = nearest(word, OUTCOMES);
  throw new UsageError('usage', `Cannot filter by outcome "${word}": there is none of that name`, {
    why: [`one of ${OUTCOMES.join(', ')}`],
    next: meant === undefined ? [] : [`did you mean: --outcome ${meant}`],
  });
}
