import { column } from '../screen/cells.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { plural } from '../screen/look.ts';

/** One thing that was tried. */
export type DoctorCheck = Readonly<{
  id: string;
  ok: boolean;
  /** Without it nothing, or nothing confined, can run. */
  stops: boolean;
  /** What was found; no full stop. */
  why: string;
  /** Line to paste. */
  fix?: string;
}>;

const LABEL_WIDTH = 16;

/** What works here, and what to do about the rest. */
export function doctorView(checks: readonly DoctorCheck[]): readonly Line[] {
  const problems = checks.filter(({ ok }) => !ok);
  const stopping = problems.filter(({ stops }) => stops);
  const verdict =
    problems.length === 0
      ? 'No problem'
      : `${plural(problems.length, 'problem')}, ${stopping.length === 0 ? 'none stops you' : `${plural(stopping.length, 'of them stops', 'of them stop')} you`}`;
  return [
    ...checks.flatMap(({ id, ok, stops, why, fix }) => [
      line(
        as(ok ? 'ok' : stops ? 'danger' : 'warn', ok ? '✓' : '✗'),
        ' ',
        column(id, LABEL_WIDTH, { role: 'bold' }),
        why,
      ),
      ...(ok || fix === undefined ? [] : [line('    ', muted('fix  '), as('accent', fix))]),
    ]),
    line(as(problems.length === 0 ? 'ok' : stopping.length === 0 ? 'warn' : 'danger', verdict)),
  ];
}
