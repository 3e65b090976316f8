import { type SuspectSpan, suspectSpans } from '@signalbox/core';

/**
 * Text as a person may safely see it: what a terminal would obey, hide or reorder is written out.
 *
 * Control characters become `\x1b`, invisible and bidirectional ones `<U+202E>`, a run of more than 8
 * blanks `·×180`, and letters that look like Latin ones inside a Latin word `<U+0430>`.
 */
export function visible(text: string): string {
  return visibleParts(text)
    .map(({ text: part }) => part)
    .join('');
}

/** The same in parts: `hidden` ones stand for something that the terminal would not have shown as it is. */
export type VisiblePart = Readonly<{ text: string; hidden: boolean }>;

export function visibleParts(text: string): readonly VisiblePart[] {
  if (PLAIN.test(text)) return [{ text, hidden: false }];
  const parts: VisiblePart[] = [];
  let written = '';
  let end = 0;
  // Neighbours are one part.
  const flush = (): void => {
    if (written !== '') parts.push({ text: written, hidden: true });
    written = '';
  };
  for (const span of suspectSpans(text)) {
    if (span.start > end) {
      flush();
      parts.push({ text: text.slice(end, span.start), hidden: false });
    }
    written += writtenOut(text.slice(span.start, span.end), span.kind);
    end = span.end;
  }
  flush();
  if (end < text.length) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

/** Whether there is anything that {@link visible} writes out. */
export function hidesSomething(text: string): boolean {
  return visibleParts(text).some(({ hidden }) => hidden);
}

/** Printable ASCII without long runs of blanks: nearly all text, and nothing to do for it. */
const PLAIN = /^(?: {0,8}[!-~])* {0,8}$/;

function writtenOut(part: string, kind: SuspectSpan['kind']): string {
  if (kind === 'blanks') return `·×${part.length}`;
  return kind === 'look-alike' ? codePoint(part) : escaped(part);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return code < 0x20 || (code >= 0x7f && code < 0xa0)
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : codePoint(character);
}

function codePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
