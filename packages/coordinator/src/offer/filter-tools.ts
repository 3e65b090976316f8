import { matchesTool, type Settings, type Tool, type ToolOffer } from '@signalbox/core';
import type { HiddenTool, OfferedTool, OfferReason, OfferRequest, Similarity } from './offer.ts';
import { isNamed, ownDescription } from './tool-words.ts';

/** A tool that its caller may be offered, as it would read it. */
export type Candidate = { readonly tool: Tool; readonly definition: ToolOffer };

/** The facts that the filter decides by. */
export type FilterFacts = {
  readonly settings: Settings['agent']['tool_filter'];
  readonly caller: OfferRequest['caller'];
  /** Lower-case words of the task. */
  readonly words: ReadonlySet<string>;
  /** By tool, 0 to 1; one that is missing has no embedding. Null: there is nothing to rank by. */
  readonly similarities: ReadonlyMap<string, number> | null;
  /** Added to the similarity of a tool, for tools that it prefers and that have succeeded. */
  readonly boostOf: (tool: string) => number;
  /** What the session was offered or called before. */
  readonly kept: ReadonlySet<string>;
};

/**
 * Leaves out tools that do not fit the task (S001-74). Once offered, a tool stays: what it is read with costs less where
 * the vendor has the request's beginning in its cache.
 *
 * Without anything to rank by, the caller gets all tools (S001-80), and so does a model that reads them in its prompt
 * (S001-77).
 */
export function filterTools(
  candidates: readonly Candidate[],
  facts: FilterFacts,
): { readonly offered: readonly OfferedTool[]; readonly hidden: readonly HiddenTool[] } {
  if (!isFiltered(facts)) return { offered: candidates.map(as('unfiltered')), hidden: [] };
  const chosen = candidates.map((candidate) => ({ candidate, reason: reasonFor(candidate.tool, facts) }));
  // Kept tools take their places among them: for the same task the same tools are chosen at every turn.
  const ranked = rank(
    chosen.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : [])),
    facts,
  );
  const offered: OfferedTool[] = [];
  const hidden: HiddenTool[] = [];
  for (const { candidate, reason } of chosen) {
    const { tool } = candidate;
    const similarity = ranked.get(tool.name) ?? null;
    if (reason !== null) offered.push({ ...candidate, reason });
    else if (similarity !== null && isWithin(similarity, facts))
      offered.push({ ...candidate, reason: 'ranked', similarity });
    else if (facts.kept.has(tool.name)) offered.push({ ...candidate, reason: 'kept' });
    else hidden.push({ tool, reason: { kind: 'left-out', similarity } });
  }
  return { offered, hidden };
}

function isFiltered({ settings, caller, similarities }: FilterFacts): boolean {
  if (!settings.enabled || caller === 'prompt') return false;
  return caller === 'agent' ? settings.without_task === 'search' : similarities !== null;
}

function as(reason: OfferReason): (candidate: Candidate) => OfferedTool {
  return (candidate) => ({ ...candidate, reason });
}

/** Why a tool is offered without being ranked; null: it is ranked. */
function reasonFor(tool: Tool, facts: FilterFacts): OfferReason | null {
  const { settings, caller, words, similarities } = facts;
  const isIn = (list: readonly string[]): boolean => list.some((pattern) => matchesTool(pattern, tool.name));
  if (isIn(settings.always_on)) return 'always-on';
  if (isIn(settings.never_left_out)) return 'basic';
  if (isNamed(tool, words)) return 'named';
  if (caller === 'agent') return tool.kind === 'builtin' ? 'built-in' : null;
  if (tool.kind === 'mcp' && countWords(ownDescription(tool)) < settings.min_description_words)
    return 'short-description';
  return similarities?.has(tool.name) === false ? 'no-embedding' : null;
}

/** Most similar first; between equal ones built-in first, then by name. */
function rank(candidates: readonly Candidate[], facts: FilterFacts): ReadonlyMap<string, Similarity> {
  const { similarities, boostOf } = facts;
  if (similarities === null) return new Map();
  const scored = candidates.map(({ tool }) => {
    const similarity = similarities.get(tool.name) ?? 0;
    return { tool, similarity, boost: boostOf(tool.name) };
  });
  const ordered = scored.toSorted(
    (a, b) =>
      b.similarity + b.boost - (a.similarity + a.boost) ||
      Number(a.tool.kind === 'mcp') - Number(b.tool.kind === 'mcp') ||
      (a.tool.name < b.tool.name ? -1 : 1),
  );
  return new Map(
    ordered.map(({ tool, similarity, boost }, index) => [tool.name, { similarity, boost, rank: index + 1 }]),
  );
}

function isWithin({ similarity, boost, rank: place }: Similarity, { settings }: FilterFacts): boolean {
  return place <= settings.top_k && similarity + boost >= settings.min_similarity;
}

/** Counts no further than it matters. */
function countWords(text: string): number {
  return text.slice(0, 10_000).trim().split(/\s+/).filter(Boolean).length;
}
