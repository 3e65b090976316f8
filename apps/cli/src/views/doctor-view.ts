import { column, gap, wrap, cells } from '../terminal/cells.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { plural } from '../terminal/render-context.ts';

/** One check. */
export type DoctorCheck = Readonly<{
  id: string;
  ok: boolean;
  /** Without it nothing, or nothing confined, can run. */
  stops: boolean;
  /** The finding, without a full stop. */
  why: string;
  /** Line to paste. */
  fix?: string;
}>;

/** Width of labels; a longer one widens the column. */
const LABEL_WIDTH = 16;

/** What works here, and how to fix the rest, in rows of that width. Default: one row each. */
export function doctorView(checks: readonly DoctorCheck[], width = Infinity): readonly Line[] {
  const label = Math.max(LABEL_WIDTH, ...checks.map(({ id }) => cells(id) + 1));
  const problems = checks.filter(({ ok }) => !ok);
  const stopping = problems.filter(({ stops }) => stops);
  const verdict =
    problems.length === 0
      ? 'No problem'
      : `${plural(problems.length, 'problem')}, ${stopWords(stopping.length, problems.length)}`;
  return [
    ...checks.flatMap((check) => checkLines(check, { width, label })),
    line(as(problems.length === 0 ? 'ok' : stopping.length === 0 ? 'warn' : 'danger', verdict)),
  ];
}

function stopWords(stopping: number, problems: number): string {
  if (stopping === 0) return 'nothing blocking';
  return problems === 1 ? 'blocking' : `${stopping} blocking`;
}

function checkLines(
  { id, ok, stops, why, fix }: DoctorCheck,
  { width, label }: Readonly<{ width: number; label: number }>,
): readonly Line[] {
  const mark = as(ok ? 'ok' : stops ? 'danger' : 'warn', ok ? '✓' : '✗');
  const [first = '', ...rest] = wrap(why, Math.max(20, width - label - 3));
  return [
    line(mark, ' ', column(id, label, { role: 'bold' }), first),
    ...rest.map((row) => line(gap(label + 2), row)),
    // Never wrapped, so that it can be pasted.
    ...(ok || fix === undefined ? [] : [line('    ', muted('fix  '), as('accent', fix))]),
  ];
}
