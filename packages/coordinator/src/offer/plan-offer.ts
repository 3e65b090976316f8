import {
  estimateTokens,
  matchesTool,
  type Settings,
  type Tool,
  toolDependencies,
  type ToolOffer,
  toToolOffer,
} from '@signalbox/core';
import type { OfferObstacle } from '@signalbox/policy';
import { type Candidate, type FilterFacts, filterTools } from './filter-tools.ts';
import { boostFor, gateDependencies } from './gate-dependencies.ts';
import type { HiddenTool, OfferPlan, OfferRequest } from './offer.ts';
import { schemaComplexity } from './schema-complexity.ts';
import { withThinkFirst } from './think-first.ts';
import { isNamed, nameWords } from './tool-words.ts';

/** The facts that an offer follows from. */
export type OfferFacts = {
  readonly settings: Pick<Settings, 'agent' | 'tools'>;
  /** All registered tools. */
  readonly tools: readonly Tool[];
  /** Why the provider may not be offered a tool; null: it may. */
  readonly obstacleTo: (tool: Tool) => OfferObstacle | null;
  readonly caller: OfferRequest['caller'];
  readonly task: string;
  /** Tools that have succeeded in the session. */
  readonly completed: ReadonlySet<string>;
  /** Tools that the session was offered or called before. */
  readonly kept: ReadonlySet<string>;
  /** Asked only where the filter ranks; null: there is nothing to rank by. */
  readonly similaritiesOf: (candidates: readonly Candidate[]) => Promise<FilterFacts['similarities']>;
};

/**
 * The pipeline of an offer, in the order of S001-80: what the settings allow, the field for thoughts, the filter, then
 * what tools require. Pure except for the similarities.
 */
export async function planOffer(facts: OfferFacts): Promise<OfferPlan> {
  const { settings, caller, completed } = facts;
  const { tool_filter } = settings.agent;
  const words = nameWords(facts.task);
  const allowed = facts.tools.map((tool) => ({ tool, obstacle: facts.obstacleTo(tool) }));
  const notOffered = allowed.flatMap(({ tool, obstacle }): HiddenTool[] =>
    obstacle === null ? [] : [{ tool, reason: { kind: 'not-offered', because: obstacle } }],
  );
  const all = allowed.flatMap(({ tool, obstacle }): Candidate[] =>
    obstacle === null ? [{ tool, definition: definitionFor(tool, facts) }] : [],
  );
  const [searches, candidates] = partition(all, ({ tool }) => tool.offered === 'filtered');
  const dependencies = dependenciesOf(settings);
  const similarities =
    tool_filter.enabled && caller === 'native' ? await facts.similaritiesOf(candidates) : null;
  const filtered = filterTools(candidates, {
    settings: tool_filter,
    caller,
    words,
    similarities,
    kept: facts.kept,
    boostOf: (tool) => boostFor(tool, { dependencies, completed, settings: settings.tools.dependencies }),
  });
  const isSearched = filtered.hidden.length > 0;
  const searching = isSearched ? searches.map((search) => ({ ...search, reason: 'search' as const })) : [];
  const gated = gateDependencies([...filtered.offered, ...searching], {
    dependencies,
    completed,
    isExempt: (name) => isExempt({ name }, { tool_filter, words }),
  });
  const hidden = [...notOffered, ...filtered.hidden, ...gated.hidden];
  return {
    offered: gated.offered.toSorted(byName),
    hidden: hidden.toSorted(byName),
    lifted: gated.lifted,
    isFiltered: filtered.offered.some(({ reason }) => reason !== 'unfiltered'),
    tokensSaved: savedBy(filtered.hidden, { candidates, searching }),
  };
}

/** Always on, or named by the task: bypasses what tools require (S001-93). */
export function isExempt(
  tool: Pick<Tool, 'name'>,
  { tool_filter, words }: Pick<Settings['agent'], 'tool_filter'> & { readonly words: ReadonlySet<string> },
): boolean {
  return tool_filter.always_on.some((pattern) => matchesTool(pattern, tool.name)) || isNamed(tool, words);
}

const NO_RULES = toolDependencies({});
const compiled = new WeakMap<Settings['tools']['dependencies'], ReturnType<typeof toolDependencies>>();

/** What tools require and prefer by the settings; nothing while that is off. */
export function dependenciesOf({ tools }: Pick<Settings, 'tools'>): ReturnType<typeof toolDependencies> {
  if (!tools.dependencies.enabled) return NO_RULES;
  const known = compiled.get(tools.dependencies) ?? toolDependencies(tools.dependencies.rules);
  compiled.set(tools.dependencies, known);
  return known;
}

/** Whether a model should think before it fills in the tool's arguments, by the threshold. */
export function isComplex(tool: Tool, { tafc }: Pick<Settings['tools'], 'tafc'>): boolean {
  return formsOf(tool).score >= tafc.complexity_threshold;
}

/** As a caller reads it that is offered no field for thoughts. */
export function plainDefinition(tool: Tool): ToolOffer {
  return formsOf(tool).plain;
}

type ToolForms = { readonly plain: ToolOffer; readonly thinking: ToolOffer; readonly score: number };

/** A tool is defined once, so its offer has the same bytes at every turn. */
const forms = new WeakMap<Tool, ToolForms>();

function formsOf(tool: Tool): ToolForms {
  const known = forms.get(tool);
  if (known !== undefined) return known;
  const plain = toToolOffer(tool);
  const made = {
    plain,
    thinking: withThinkFirst(plain),
    score: schemaComplexity(plain.inputSchema).score,
  };
  forms.set(tool, made);
  return made;
}

function definitionFor(tool: Tool, { settings, caller }: Pick<OfferFacts, 'settings' | 'caller'>): ToolOffer {
  const { tools } = settings;
  const isThinking = tools.tafc.enabled && caller === 'native' && isComplex(tool, tools);
  return isThinking ? formsOf(tool).thinking : formsOf(tool).plain;
}

function savedBy(
  hidden: readonly HiddenTool[],
  parts: { readonly candidates: readonly Candidate[]; readonly searching: readonly Candidate[] },
): number {
  const names = new Set(hidden.map(({ tool }) => tool.name));
  const leftOut = parts.candidates.filter(({ tool }) => names.has(tool.name));
  const cost = (some: readonly Candidate[]): number =>
    some.reduce((sum, { definition }) => sum + tokensOf(definition), 0);
  return Math.max(0, cost(leftOut) - cost(parts.searching));
}

/** Counted once: a definition stays the same at every turn. */
const counted = new WeakMap<ToolOffer, number>();

function tokensOf(definition: ToolOffer): number {
  const tokens = counted.get(definition) ?? estimateTokens(JSON.stringify(definition));
  counted.set(definition, tokens);
  return tokens;
}

function byName(a: { readonly tool: Tool }, b: { readonly tool: Tool }): number {
  return a.tool.name < b.tool.name ? -1 : 1;
}

function partition<One>(all: readonly One[], fits: (one: One) => boolean): [One[], One[]] {
  return [all.filter(fits), all.filter((one) => !fits(one))];
}
