import type { Reason, Verdict } from '@signalbox/core';
import { cells, gap, wrap } from '../../terminal/cells.ts';
import { as, type Line, line, muted, type TextRole, underlined } from '../../terminal/line.ts';
import { foldBlankRows } from '../../terminal/fold-blank-rows.ts';
import type { RenderContext } from '../../terminal/render-context.ts';

/**
 * A shell line with the parts that have a reason underlined and numbered; {@link reasonLines} are the reasons. It is
 * never shortened: if it is longer than a row, it wraps, and only the reasons are numbered.
 */
export function judgedLine(
  text: string,
  verdict: Verdict | null,
  { render, indent = '  ' }: Readonly<{ render: RenderContext; indent?: string }>,
): readonly Line[] {
  const spans = spansOf(text, verdict);
  const oneRow = !text.includes('\n') && cells(text) + indent.length <= render.width;
  return oneRow
    ? [
        line(indent, spannedText(text, spans)),
        ...(spans.length > 0 ? [line(indent, marksBelow(text, spans))] : []),
      ]
    : wrappedRows(text, indent, render);
}

/**
 * Without those that another one states more precisely or severely: `deletes recursively` and `deletes files` next to
 * `deletes recursively: dist`.
 */
export function reasonsWorthShowing(verdict: Verdict | null): readonly Reason[] {
  const reasons = verdict?.reasons ?? [];
  return reasons.filter(
    (reason, i) =>
      !reasons.some((other) => other.text.startsWith(`${reason.text}: `)) &&
      !reasons
        .slice(0, i)
        .some((stricter) => stricter.level !== reason.level && hasSameWording(stricter, reason)),
  );
}

/** The same verb about the same part of the line; reasons of the strictest level come first. */
function hasSameWording(a: Reason, b: Reason): boolean {
  if (a.span === undefined || b.span === undefined) return false;
  return (
    a.text.split(' ')[0] === b.text.split(' ')[0] && a.span.start < b.span.end && b.span.start < a.span.end
  );
}

type SpanMark = Readonly<{ start: number; end: number; number: number; role: TextRole }>;

/** Spans in the order of their reasons; one that overlaps an earlier one is not marked. */
function spansOf(text: string, verdict: Verdict | null): readonly SpanMark[] {
  const marks: SpanMark[] = [];
  for (const [i, { span, level }] of reasonsWorthShowing(verdict).entries()) {
    if (span === undefined || span.start >= span.end || span.end > text.length) continue;
    if (marks.some(({ start, end }) => span.start < end && start < span.end)) continue;
    marks.push({ start: span.start, end: span.end, number: i + 1, role: level });
  }
  return marks.toSorted((a, b) => a.start - b.start);
}

function spannedText(text: string, spans: readonly SpanMark[]): Line {
  const parts: Line[] = [];
  let at = 0;
  for (const { start, end, role } of spans) {
    parts.push(line(as('bold', text.slice(at, start)), underlined(role, text.slice(start, end))));
    at = end;
  }
  return line(...parts, as('bold', text.slice(at)));
}

/** `~~~~1~~~~` under each span: nothing depends on colour. */
function marksBelow(text: string, spans: readonly SpanMark[]): Line {
  const parts: Line[] = [];
  let at = 0;
  for (const { start, end, number, role } of spans) {
    const width = cells(text.slice(start, end));
    const digits = String(number);
    const left = Math.max(0, Math.floor((width - digits.length) / 2));
    const right = Math.max(0, width - digits.length - left);
    parts.push(
      line(gap(cells(text.slice(at, start))), as(role, `${'~'.repeat(left)}${digits}${'~'.repeat(right)}`)),
    );
    at = end;
  }
  return line(...parts);
}

function wrappedRows(text: string, indent: string, render: RenderContext): readonly Line[] {
  const width = Math.max(10, render.width - indent.length - 2);
  return foldBlankRows(text.split('\n')).flatMap((part) =>
    wrap(part, width).map((row, i) => line(indent, i > 0 ? '  ' : '', as('bold', row))),
  );
}

const LEVEL_WIDTH = 9;

/** `1 dangerous  deletes recursively: dist` */
export function reasonLines(verdict: Verdict | null, indent: string, render: RenderContext): readonly Line[] {
  return reasonsWorthShowing(verdict).flatMap((reason, i) => reasonRows(reason, i + 1, { render, indent }));
}

function reasonRows(
  { level, text }: Reason,
  number: number,
  { render, indent }: Readonly<{ render: RenderContext; indent: string }>,
): readonly Line[] {
  const hanging = indent.length + String(number).length + 1 + LEVEL_WIDTH + 2;
  return wrap(text, Math.max(10, render.width - hanging)).map((row, i) =>
    i === 0
      ? line(indent, muted(`${number} `), as(level, level), gap(LEVEL_WIDTH + 2 - level.length), row)
      : line(gap(hanging), row),
  );
}
