import { matchesTool, type ToolDependencies } from '@signalbox/core';
import type { HiddenTool, OfferedTool } from './offer.ts';

/** What the gate decides by. */
export type DependencyFacts = {
  readonly dependencies: ToolDependencies;
  /** Tools that have succeeded in the session. */
  readonly completed: ReadonlySet<string>;
  /** Always on, or named by the task: these bypass the gate (S001-93). */
  readonly isExempt: (tool: string) => boolean;
};

/**
 * Hides tools until what they require has succeeded (S001-86). If that would leave only tools that are always on, nothing
 * is hidden: a session must not be without tools to call (S001-89).
 */
export function gateDependencies(
  candidates: readonly OfferedTool[],
  facts: DependencyFacts,
): {
  readonly offered: readonly OfferedTool[];
  readonly hidden: readonly HiddenTool[];
  readonly lifted: readonly string[];
} {
  const hidden = candidates.flatMap(({ tool }): HiddenTool[] => {
    const missing = missingFor(tool.name, facts);
    return missing.length === 0 ? [] : [{ tool, reason: { kind: 'requires', missing } }];
  });
  const names = new Set(hidden.map(({ tool }) => tool.name));
  const offered = candidates.filter(({ tool }) => !names.has(tool.name));
  const isDeadlock = hidden.length > 0 && offered.every(({ tool }) => facts.isExempt(tool.name));
  return isDeadlock
    ? { offered: candidates, hidden: [], lifted: [...names] }
    : { offered, hidden, lifted: [] };
}

/** The tools that must succeed in the session before this one. */
export function missingFor(tool: string, facts: DependencyFacts): readonly string[] {
  const { dependencies, completed, isExempt } = facts;
  const { requires } = dependencies.of(tool);
  if (requires.length === 0 || isExempt(tool)) return [];
  return requires.filter((required) => ![...completed].some((done) => matchesTool(required, done)));
}

/** What preferred tools that have succeeded add to a tool's similarity (S001-91). */
export function boostFor(
  tool: string,
  facts: Pick<DependencyFacts, 'dependencies' | 'completed'> & {
    readonly settings: { readonly boost_per_dep: number; readonly max_total_boost: number };
  },
): number {
  const { dependencies, completed, settings } = facts;
  const { prefers } = dependencies.of(tool);
  const met = prefers.filter((preferred) => [...completed].some((done) => matchesTool(preferred, done)));
  return Math.min(settings.max_total_boost, met.length * settings.boost_per_dep);
}
