import {
  type BenchReport,
  compareReports,
  holds,
  type ReportMetric,
  MEASURES,
  ratioText,
} from '@signalbox/bench';
import { as, BLANK, type Line, line, muted } from '../../terminal/line.ts';
import { type RenderContext, plural } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';

/** A ratio within this distance of 1 is noise. */
const NOISE = 0.05;

/** Two runs side by side. */
export function compareView(a: BenchReport, b: BenchReport, render: RenderContext): readonly Line[] {
  const { ratios, differ } = compareReports(a, b);
  const columns = [
    { title: '' },
    { title: 'A', align: 'right' },
    { title: 'B', align: 'right' },
    { title: 'B TO A', align: 'right' },
  ] as const;
  const cell = (value: number | null, text: ReportMetric['text']): string =>
    value === null ? '–' : text(value);
  const rows = MEASURES.map(({ name, of, text, better }) => [
    name,
    cell(of(a), text),
    cell(of(b), text),
    ratioCell(ratios[name] ?? null, better),
  ]);
  return [
    headLine('A', a),
    headLine('B', b),
    BLANK,
    ...tableLines(columns, rows, render),
    BLANK,
    line(`Invariants: A ${holds(a) ? 'hold' : 'violated'}, B ${holds(b) ? 'hold' : 'violated'}`),
    ...(differ.length === 0 ? [] : [line(muted(`The runs differ in ${differ.join(', ')}`))]),
    ...(a.machine.cpu === b.machine.cpu && a.machine.cpus === b.machine.cpus
      ? []
      : [line(muted('They ran on different machines'))]),
  ];
}

function headLine(name: string, { options, numbers, startedAt }: BenchReport): Line {
  const { scenario, agents, backend, seed } = options;
  const ran = `${plural(numbers.commands, 'command')} of ${plural(agents, 'agent')}, ${backend}, seed ${seed}`;
  return line(as('bold', `${name} ${scenario}`), ` · ${ran} · `, muted(new Date(startedAt).toISOString()));
}

function ratioCell(value: number | null, better: ReportMetric['better']) {
  if (value === null) return '–';
  const text = ratioText(value);
  if (Math.abs(value - 1) < NOISE) return text;
  return as(value > 1 === (better === 'more') ? 'ok' : 'warn', text);
}
