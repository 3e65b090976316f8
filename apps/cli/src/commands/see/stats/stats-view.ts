import { cells } from '../../../terminal/cells.ts';
import { idLabels } from '../../../terminal/id-labels.ts';
import { as, BLANK, type Line, line, muted } from '../../../terminal/line.ts';
import {
  count,
  dateAndTime,
  duration,
  type RenderContext,
  plural,
} from '../../../terminal/render-context.ts';
import { tableLines } from '../../../terminal/table.ts';
import type { StatsRead } from '../../../client/readers/reader.ts';
import type { FileStats, FilterStats, SlowCommand, ToolStats } from './kinds-of-stats.ts';
import { savedLines, sessionLines } from './session-stats-view.ts';

const NONE = 'No commands finished in this period.';

const COUNTED = ['COMMANDS', 'FAILED', 'DENIED', 'MEDIAN', 'P95', 'WAITED'].map((title) => ({
  title,
  align: 'right' as const,
}));

/** The cells of {@link COUNTED}. */
function countedCells(
  one: Pick<ToolStats, 'commands' | 'failed' | 'denied' | 'medianMs' | 'p95Ms' | 'waitedMs'>,
): readonly string[] {
  return [
    ...[one.commands, one.failed, one.denied].map(String),
    ...[one.medianMs, one.p95Ms, one.waitedMs].map(duration),
  ];
}

/** Totals by provider. */
export function statsView(
  { providers, approvals, questions, busiestFile, toolFilter, ...ofSessions }: Omit<StatsRead, 'remedy'>,
  render: RenderContext,
): readonly Line[] {
  if (providers.length === 0) return [line(NONE), ...sessionLines(ofSessions, render)];
  const rows = providers.map((one) => [
    one.provider,
    ...countedCells(one),
    one.mostUsed
      .slice(0, 1)
      .map(({ tool, commands }) => `${tool} ${commands}`)
      .join(''),
  ]);
  return [
    ...tableLines([{ title: 'PROVIDER' }, ...COUNTED, { title: 'MOST USED', gives: 'end' }], rows, render),
    ...closing({ approvals, busiestFile }, render).map((row) => line(muted(row))),
    ...savedLines({ providers, toolFilter, ...ofSessions }),
    ...suspectLines(providers),
    ...utilityLines(providers),
    ...offerRows(providers, toolFilter).map((row) => line(muted(row))),
    ...(questions.length === 0 ? [] : [BLANK, ...questionLines(questions, render)]),
    ...sessionLines(ofSessions, render),
  ];
}

/** Why approvals were needed, and how they were answered. */
function questionLines(questions: StatsRead['questions'], render: RenderContext): readonly Line[] {
  const rows = questions.map((one) => [
    one.reason,
    String(one.asked),
    String(one.approved),
    String(one.denied),
    String(one.expired),
    String(one.cancelled),
    muted(one.rule),
  ]);
  const counted = ['ASKED', 'APPROVED', 'DENIED', 'EXPIRED', 'CANCELLED'].map((title) => ({
    title,
    align: 'right' as const,
  }));
  return tableLines(
    [{ title: 'REASON FOR APPROVAL', gives: 'end' }, ...counted, { title: 'RULE', isSpare: true }],
    rows,
    render,
  );
}

/** Calls that a model may have made up in part. */
function suspectLines(providers: StatsRead['providers']): readonly Line[] {
  const found = providers.filter(({ suspects }) => suspects > 0);
  if (found.length === 0) return [];
  const each = found.map(({ provider, suspects }) => `${provider} ${suspects}`).join(', ');
  return [line(muted(`Calls with possibly made-up paths or ids: ${each}`))];
}

/** What the utility gate skipped, or would have skipped. */
function utilityLines(providers: StatsRead['providers']): readonly Line[] {
  const sum = (kind: 'skipped' | 'inShadow', of: 'calls' | 'tokens'): number =>
    providers.reduce((total, { utility }) => total + utility[kind][of], 0);
  const tokens = (kind: 'skipped' | 'inShadow'): string => `about ${sum(kind, 'tokens')} tokens saved`;
  const [skipped, inShadow] = [sum('skipped', 'calls'), sum('inShadow', 'calls')];
  return [
    ...(skipped === 0
      ? []
      : [line(muted(`Utility gate: ${plural(skipped, 'call')} skipped, ${tokens('skipped')}`))]),
    ...(inShadow === 0
      ? []
      : [
          line(
            muted(
              `Utility gate, in shadow: ${plural(inShadow, 'call')} would be skipped, ${tokens('inShadow')}`,
            ),
          ),
        ]),
  ];
}

function closing(
  { approvals, busiestFile }: Pick<StatsRead, 'approvals' | 'busiestFile'>,
  { width }: RenderContext,
): readonly string[] {
  const { granted, refused, expired, cancelled, medianAnswerMs } = approvals;
  const asked =
    granted + refused + expired + cancelled === 0
      ? 'Approvals: none'
      : `Approvals: ${granted} approved, ${refused} denied${expired > 0 ? `, ${expired} expired` : ''}${cancelled > 0 ? `, ${cancelled} cancelled` : ''}`;
  const answer = medianAnswerMs === null ? '' : `, median answer ${duration(medianAnswerMs)}`;
  if (busiestFile === null) return [`${asked}${answer}`];
  const busiest = `usiest file ${busiestFile.path} (${plural(busiestFile.changes, 'change')})`;
  const whole = `${asked}${answer} · b${busiest}`;
  return cells(whole) <= width ? [whole] : [`${asked}${answer}`, `B${busiest}`];
}

/** What the tool filter saved, and invalid arguments with and without thoughts; empty where neither was used. */
function offerRows(
  providers: StatsRead['providers'],
  { turns, tokensSaved }: StatsRead['toolFilter'],
): readonly string[] {
  const sum = (kind: keyof ArgumentRates): ArgumentRates['without'] =>
    providers.reduce(
      ({ calls, invalid }, { complexCalls }) => ({
        calls: calls + complexCalls[kind].calls,
        invalid: invalid + complexCalls[kind].invalid,
      }),
      { calls: 0, invalid: 0 },
    );
  const thinking = sum('withThoughts');
  const without = sum('without');
  const rate = ({ calls, invalid }: ArgumentRates['without']): string =>
    `${invalid} of ${plural(calls, 'call')}${calls === 0 ? '' : ` (${Math.round((invalid / calls) * 100)} %)`}`;
  return [
    ...(turns === 0
      ? []
      : [`Tool filter: about ${tokensSaved.toLocaleString('en')} tokens saved in ${plural(turns, 'turn')}`]),
    ...(thinking.calls === 0
      ? []
      : [`Invalid arguments: ${rate(thinking)} with thoughts first, ${rate(without)} without`]),
  ];
}

type ArgumentRates = StatsRead['providers'][number]['complexCalls'];

/** Totals by tool. */
export function toolStatsView(tools: readonly ToolStats[], render: RenderContext): readonly Line[] {
  if (tools.length === 0) return [line(NONE)];
  const rows = tools.map((one) => [as('bold', one.tool), ...countedCells(one), muted(whoText(one.usedBy))]);
  return tableLines([{ title: 'TOOL' }, ...COUNTED, { title: 'USED BY', gives: 'end' }], rows, render);
}

/** Who read and changed which file. */
export function fileStatsView(files: readonly FileStats[], render: RenderContext): readonly Line[] {
  if (files.length === 0) return [line('No commands touched files in this period.')];
  const rows = files.map((one) => [
    as('bold', one.path),
    String(one.changes),
    String(one.reads),
    one.conflicts === 0 ? muted('0') : as('danger', String(one.conflicts)),
    muted(one.lastChangedAt === null ? '–' : dateAndTime(one.lastChangedAt, render).slice(5)),
    muted(whoText(one.touchedBy)),
  ]);
  const columns = [
    { title: 'FILE', gives: 'middle' },
    { title: 'CHANGES', align: 'right' },
    { title: 'READS', align: 'right' },
    { title: 'STALE', align: 'right' },
    { title: 'CHANGED', isSpare: true },
    { title: 'BY', gives: 'end' },
  ] as const;
  return tableLines(columns, rows, render);
}

/** What filters left out of the outputs that models read. */
export function filterStatsView(filters: readonly FilterStats[], render: RenderContext): readonly Line[] {
  if (filters.length === 0) return [line('No output was filtered in this period.')];
  const rows = filters.map((one) => [
    as('bold', one.filter),
    String(one.outputs),
    one.fallbacks === 0 ? muted('0') : as('danger', String(one.fallbacks)),
    count(one.keptTokens),
    count(one.savedTokens),
    `${Math.round((100 * one.savedTokens) / Math.max(1, one.keptTokens + one.savedTokens))} %`,
  ]);
  const columns = [
    { title: 'FILTER', gives: 'end' },
    ...['OUTPUTS', 'FAILED', 'TOKENS READ', 'TOKENS SAVED', 'SAVED'].map((title) => ({
      title,
      align: 'right' as const,
    })),
  ] as const;
  return tableLines(columns, rows, render);
}

/** The slowest commands. */
export function slowestView(slowest: readonly SlowCommand[], render: RenderContext): readonly Line[] {
  if (slowest.length === 0) return [line('No commands ran in this period.')];
  const label = idLabels(
    slowest.map(({ command }) => command),
    render,
  );
  const rows = slowest.map((one) => [
    duration(one.durationMs),
    muted(duration(one.waitedMs)),
    label(one.command),
    one.provider,
    one.title,
    as(one.outcome === 'completed' ? 'ok' : 'danger', one.outcome),
  ]);
  const columns = [
    { title: 'RAN', align: 'right' },
    { title: 'WAITED', align: 'right' },
    { title: 'ID' },
    { title: 'PROVIDER' },
    { title: 'SLOWEST COMMANDS', gives: 'middle' },
    { title: 'OUTCOME' },
  ] as const;
  return tableLines(columns, rows, render);
}

function whoText(who: readonly Readonly<{ provider: string; commands: number }>[]): string {
  return who.map(({ provider, commands }) => `${provider} ${commands}`).join(', ');
}
