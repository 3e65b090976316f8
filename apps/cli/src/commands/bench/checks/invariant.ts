export const INVARIANTS = {
  'lost-updates': 'no update is lost',
  overlaps: 'no two conflicting commands work at the same time',
  'double-starts': 'no command starts twice, or without leave',
  results: 'every command has exactly one result, the planned one',
  waits: 'nobody waits without bound',
  order: 'who conflicts starts in order of arrival',
  leases: 'no lease is left behind',
  audit: 'the audit chain is whole, one line for each command',
  history: 'git has each commit once',
} as const;
export type InvariantId = keyof typeof INVARIANTS;

/** One thing that must not be. */
export type Violation = Readonly<{
  says: string;
  /** The commands that it concerns. */
  keys: readonly number[];
}>;

export type Checked = Readonly<{
  id: InvariantId;
  /** How many facts were looked at; 0: this run had nothing to look at. */
  facts: number;
  /** At most {@link MOST_VIOLATIONS}; `violated` counts all. */
  violations: readonly Violation[];
  violated: number;
}>;

/** More of them tell nobody more. */
const MOST_VIOLATIONS = 20;

export function checked(id: InvariantId, facts: number, violations: readonly Violation[]): Checked {
  return { id, facts, violations: violations.slice(0, MOST_VIOLATIONS), violated: violations.length };
}
