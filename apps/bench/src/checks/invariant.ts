import * as z from 'zod';

const INVARIANTS = {
  'lost-updates': 'no update is lost',
  overlaps: 'no two conflicting commands work at the same time',
  'double-starts': 'no command starts twice, or without leave',
  results: 'every command has exactly one result, the planned one',
  waits: 'nobody waits without bound',
  order: 'who conflicts starts in order of arrival',
  leases: 'no lease is left behind',
  audit: 'the audit chain is whole, one line for each command',
  history: 'git has each commit once',
  events: 'events report every command once, with its outcome and its times',
  screens: 'screens opened during the run show what runs and what it holds',
  totals: 'totals and followed screens match the results',
} as const;
type InvariantId = keyof typeof INVARIANTS;

/** One violation of an invariant. */
const Violation = z
  .strictObject({
    says: z.string(),
    /** The commands involved. */
    keys: z.array(z.number()).readonly(),
  })
  .readonly();
export type Violation = z.infer<typeof Violation>;

/** Result of checking an invariant. */
export const Checked = z
  .strictObject({
    /** An {@link InvariantId}, or that of another version. */
    id: z.string(),
    /** Number of facts checked; 0: this run had none to check. */
    facts: z.number(),
    /** At most {@link MAX_VIOLATIONS}; `violated` counts all. */
    violations: z.array(Violation).readonly(),
    violated: z.number(),
  })
  .readonly();
export type Checked = z.infer<typeof Checked>;

/** Enough for a person to see what is wrong. */
const MAX_VIOLATIONS = 20;

export function checked(
  id: InvariantId,
  facts: number,
  { violations }: Readonly<{ violations: readonly Violation[] }>,
): Checked {
  return { id, facts, violations: violations.slice(0, MAX_VIOLATIONS), violated: violations.length };
}

/** The invariant in words. */
export function invariantText({ id }: Pick<Checked, 'id'>): string {
  return new Map<string, string>(Object.entries(INVARIANTS)).get(id) ?? id;
}
