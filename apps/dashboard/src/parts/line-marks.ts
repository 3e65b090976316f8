import type { Level, Reason } from '@signalbox/core';

/** A part of the line with one underline; `numbers` of the reasons whose span ends here. */
export type LinePart = Readonly<{ text: string; level: Level | null; numbers: readonly number[] }>;

export type MarkedLine = Readonly<{
  parts: readonly LinePart[];
  /** Reasons without a span: implied steps, or the line as a whole. */
  implied: readonly number[];
}>;

const STRICTNESS: Readonly<Record<Level, number>> = { safe: 0, warning: 1, dangerous: 2, blocked: 3 };

/**
 * The line in parts, each with the strictest level of its reasons. Reasons are numbered from 1 in order. Spans outside
 * the line mark nothing: they belong to another one.
 */
export function markLine(line: string, reasons: readonly Reason[]): MarkedLine {
  const marks = reasons.flatMap(({ span, level }, at) =>
    span === undefined || span.end > line.length || span.start >= span.end || level === 'safe'
      ? []
      : [{ start: span.start, end: span.end, level, number: at + 1 }],
  );
  const cuts = [...new Set([0, line.length, ...marks.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  );
  const parts = cuts.slice(1).map((end, at): LinePart => {
    const start = cuts[at] ?? 0;
    const over = marks.filter((mark) => mark.start <= start && mark.end >= end);
    const [strictest] = over.toSorted((a, b) => STRICTNESS[b.level] - STRICTNESS[a.level]);
    return {
      text: line.slice(start, end),
      level: strictest?.level ?? null,
      numbers: marks.filter((mark) => mark.end === end).map(({ number }) => number),
    };
  });
  const marked = new Set(marks.map(({ number }) => number));
  const implied = reasons.flatMap(({ level }, at) =>
    marked.has(at + 1) || level === 'safe' ? [] : [at + 1],
  );
  return { parts, implied };
}

/** Head and tail of a long line, and the part in between. */
export type CutLine = Readonly<{
  head: readonly LinePart[];
  between: readonly LinePart[];
  tail: readonly LinePart[];
}>;

/** A long beginning would hide the end of a line: both are kept. In UTF-16 units. */
export function cutLine(
  parts: readonly LinePart[],
  { head, tail }: Readonly<{ head: number; tail: number }>,
): CutLine {
  const length = lengthOf(parts);
  const until = Math.min(head, length);
  const from = Math.max(until, length - tail);
  return {
    head: within(parts, { from: 0, until }),
    between: within(parts, { from: until, until: from }),
    tail: within(parts, { from, until: length }),
  };
}

export function lengthOf(parts: readonly LinePart[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}

/** The numbers of a part are at its end. */
function within(
  parts: readonly LinePart[],
  { from, until }: Readonly<{ from: number; until: number }>,
): readonly LinePart[] {
  let at = 0;
  return parts.flatMap((part) => {
    const start = at;
    at += part.text.length;
    const text = part.text.slice(Math.max(0, from - start), Math.max(0, until - start));
    return text === '' ? [] : [{ ...part, text, numbers: at <= until ? part.numbers : [] }];
  });
}
