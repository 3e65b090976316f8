import type { Level, Reason } from '@signalbox/core';

/** A stretch of the line that is underlined in one way; `numbers` of the reasons whose span ends here. */
export type LinePart = Readonly<{ text: string; level: Level | null; numbers: readonly number[] }>;

export type MarkedLine = Readonly<{
  parts: readonly LinePart[];
  /** Reasons that no word of the line stands for: steps that are implied, or the line as a whole. */
  implied: readonly number[];
}>;

const STRICTNESS: Readonly<Record<Level, number>> = { safe: 0, warning: 1, dangerous: 2, blocked: 3 };

/**
 * The line in parts, each with the strictest level that any reason gives it. Reasons are numbered from 1 in
 * their order. Spans that lie outside the line mark nothing: they spoke of another one.
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

/** Head and tail of a long line, and what stands between them. */
export type CutLine = Readonly<{
  head: readonly LinePart[];
  between: readonly LinePart[];
  tail: readonly LinePart[];
}>;

/** What a line ends with is what a long beginning would hide: both are kept. In UTF-16 units. */
export function cutLine(parts: readonly LinePart[], head: number, tail: number): CutLine {
  const length = lengthOf(parts);
  const until = Math.min(head, length);
  const from = Math.max(until, length - tail);
  return {
    head: within(parts, 0, until),
    between: within(parts, until, from),
    tail: within(parts, from, length),
  };
}

export function lengthOf(parts: readonly LinePart[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}

/** The numbers of a part stand where it ends. */
function within(parts: readonly LinePart[], from: number, until: number): readonly LinePart[] {
  let at = 0;
  return parts.flatMap((part) => {
    const start = at;
    at += part.text.length;
    const text = part.text.slice(Math.max(0, from - start), Math.max(0, until - start));
    return text === '' ? [] : [{ ...part, text, numbers: at <= until ? part.numbers : [] }];
  });
}
