import type {
  HiddenTool,
  OfferPlan,
  OfferedTool,
  OfferReason,
  SchemaComplexity,
} from '@signalbox/coordinator';
import { estimateTokens } from '@signalbox/core';
import { as, BLANK, type Line, line, muted } from '../terminal/line.ts';
import { plural, type RenderContext } from '../terminal/render-context.ts';
import { tableLines } from '../terminal/table.ts';

const OFFERED: Readonly<Record<Exclude<OfferReason, 'ranked' | 'unfiltered'>, string>> = {
  'always-on': 'listed in agent.tool_filter.always_on',
  basic: 'listed in agent.tool_filter.never_left_out',
  named: 'the task names it',
  'short-description': 'its description is too short to rank it',
  'no-embedding': 'its embedding is missing',
  kept: 'offered to the session before',
  'built-in': 'built in; the task is unknown',
  search: 'finds those that are left out',
  session: 'every session has it',
};

const NOT_OFFERED = {
  'tools-off': 'tool calls are turned off (agents.tool_execution.enabled)',
  'filter-off': 'the tool filter is off (agent.tool_filter.enabled)',
  undeclared: 'not listed in providers.<id>.tools',
  mode: 'forbidden in this mode',
  lockdown: 'LOCKDOWN allows tools that only read',
  phase: 'the autonomous phase allows internal tools',
} as const;

/** With whether the settings turn the tool filter on. */
export type OfferExplanation = OfferPlan & { readonly hasFilter: boolean };

/** What a provider would be offered, and why, a tool a row. */
export function offerView(offer: OfferExplanation, render: RenderContext): readonly Line[] {
  const { offered, hidden, lifted, tokensSaved } = offer;
  const rows = [
    ...offered.map((one) => ({ name: one.tool.name, offered: one, hidden: null })),
    ...hidden.map((one) => ({ name: one.tool.name, offered: null, hidden: one })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const tokens = offered.reduce((sum, one) => sum + tokensOf(one), 0);
  return [
    ...tableLines(
      [
        { title: 'TOOL' },
        { title: 'OFFERED' },
        { title: 'TOKENS', align: 'right' },
        { title: 'WHY', gives: 'end' },
      ],
      rows.map((row) => [
        as('bold', row.name),
        row.offered === null ? as('warn', 'no') : as('ok', 'yes'),
        row.offered === null ? '' : String(tokensOf(row.offered)),
        muted(row.offered === null ? whyHidden(row.hidden) : whyOffered(row.offered, offer)),
      ]),
      render,
    ),
    BLANK,
    line(
      muted(
        `${offered.length} of ${plural(rows.length, 'tool')} offered, about ${tokens} tokens per request${tokensSaved === 0 ? '' : `; the filter saves about ${tokensSaved}`}`,
      ),
    ),
    ...(lifted.length === 0
      ? []
      : [
          line(
            as(
              'warn',
              `What these require does not count, as no tool could be called otherwise: ${lifted.join(', ')}`,
            ),
          ),
        ]),
  ];
}

/** Why a tool is offered, in words. */
export function whyOffered(
  { reason, similarity }: OfferedTool,
  { hasFilter }: Pick<OfferExplanation, 'hasFilter'>,
): string {
  if (reason === 'unfiltered') return hasFilter ? 'the filter has nothing to rank by' : 'allowed';
  if (reason !== 'ranked') return OFFERED[reason];
  return similarity === undefined ? 'similar to the task' : `number ${rankText(similarity)}`;
}

/** Why a tool is not offered, in words. */
export function whyHidden({ tool, reason }: HiddenTool): string {
  switch (reason.kind) {
    case 'not-offered':
      if (reason.because === 'undeclared' && tool.offered === 'declared')
        return 'only for providers that list it (providers.<id>.tools)';
      return NOT_OFFERED[reason.because];
    case 'requires':
      return `requires ${reason.missing.join(', ')} first (tools.dependencies)`;
    case 'left-out':
      return reason.similarity === null
        ? 'left out: the task is unknown'
        : `left out: number ${rankText(reason.similarity)}`;
  }
}

function rankText({ rank, similarity, boost }: NonNullable<OfferedTool['similarity']>): string {
  const preferred = boost === 0 ? '' : ` + ${boost.toFixed(2)} for tools that it prefers`;
  return `${rank} by similarity to the task, ${similarity.toFixed(2)}${preferred}`;
}

export function tokensOf({ definition }: OfferedTool): number {
  return estimateTokens(JSON.stringify(definition));
}

/** How complex the arguments of each tool are, the most complex first. */
export function complexityView(
  tools: readonly Readonly<{ name: string; complexity: SchemaComplexity; isComplex: boolean }>[],
  render: RenderContext,
): readonly Line[] {
  const numbers = ['SCORE', 'FIELDS', 'OPTIONAL', 'DEPTH', 'CHOICES'].map((title) => ({
    title,
    align: 'right' as const,
  }));
  const rows = tools.map(({ name, complexity, isComplex }) => [
    as('bold', name),
    complexity.score.toFixed(2),
    ...[complexity.fields, complexity.optional, complexity.depth, complexity.choices].map(String),
    isComplex ? as('ok', 'thinks first') : '',
  ]);
  return tableLines([{ title: 'TOOL' }, ...numbers, { title: 'WITH tools.tafc' }], rows, render);
}
