import { type SuspectSpan, suspectSpans } from './suspect-spans.ts';

/** A part of a text; `hidden` ones replace something that a screen would hide, obey, reorder or draw like another. */
export type VisiblePart = Readonly<{ text: string; hidden: boolean }>;

/**
 * How a text is laid out. `row`: on one row, newlines and tabs are escaped. `lines`: newlines, tabs and indentation
 * stay, and a run of blank lines is counted. `output`: as `lines`, and all blanks and blank lines stay, for columns.
 */
export type TextLayout = 'row' | 'lines' | 'output';

/**
 * Text as a person may safely see it, on terminals and pages alike.
 *
 * Control characters become `\x1b`, invisible and bidirectional ones `<U+202E>`, a run of more than 8 blanks `·×180`,
 * the same character again and again `\x00×512`, and letters that look like Latin ones inside a Latin word `<U+0430>`.
 */
export function visible(text: string, layout: TextLayout = 'row'): string {
  return visibleParts(text, layout)
    .map(({ text: part }) => part)
    .join('');
}

/** The same in parts, at most 1,001. */
export function visibleParts(text: string, layout: TextLayout = 'row'): readonly VisiblePart[] {
  if (!MAYBE_HIDING[layout].test(text)) return [{ text, hidden: false }];
  const parts: VisiblePart[] = [];
  let [plain, written] = ['', ''];
  let end = 0;
  const add = (shown: string, hidden: boolean): void => {
    if (shown === '') return;
    if (parts.length >= MAX_PARTS) plain += shown;
    else if (hidden) {
      if (plain !== '') parts.push({ text: plain, hidden: false });
      plain = '';
      written += shown;
    } else {
      if (written !== '') parts.push({ text: written, hidden: true });
      written = '';
      plain += shown;
    }
  };
  for (const run of runsOf(text, layout)) {
    add(text.slice(end, run.start), false);
    add(writtenOut(run, text), true);
    end = run.end;
  }
  add(text.slice(end), false);
  if (written !== '') parts.push({ text: written, hidden: true });
  if (plain !== '') parts.push({ text: plain, hidden: false });
  return parts;
}

/** Whether {@link visible} would escape anything. Newlines, tabs and indentation hide nothing. */
export function hidesSomething(text: string): boolean {
  return visibleParts(text, 'lines').some(({ hidden }) => hidden);
}

/**
 * The same text for a model: invisible characters are removed, and other blanks are spaces. Newlines, tabs, emoji and
 * the joiners of scripts that need them stay.
 */
export function withoutHidden(text: string): string {
  /** Emoji of several characters, and letters of the scripts that are written with joiners. */
  const together =
    /\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?(?:\u200D\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)*|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Mongolian}])[\u200C\u200D](?=\p{L})/gu;
  const joined = [...text.matchAll(together)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  let [shown, end, at] = ['', 0, 0];
  for (const { start, end: after, kind } of suspectSpans(text)) {
    const character = text.slice(start, after);
    if (kind !== 'invisible' || character === '\n' || character === '\t') continue;
    while ((joined[at]?.end ?? Infinity) <= start) at += 1;
    if (start >= (joined[at]?.start ?? Infinity)) continue;
    shown += text.slice(end, start) + (BLANK.test(character) ? ' ' : '');
    end = after;
  }
  return shown + text.slice(end);
}

/** Boxes drawn for one text: a megabyte of odd characters must not stop a page. The rest is written as one part. */
const MAX_PARTS = 1000;
/** As in code; text after a deeper indentation could be out of sight. */
const MAX_INDENT = 64;

/**
 * Most text does not match: printable ASCII and the signs of our own rows, no long runs of blanks, no four blank lines.
 * The full check needs tables of letters, which take longer to load than a short subcommand runs.
 */
const MAYBE_HIDING: Readonly<Record<TextLayout, RegExp>> = {
  row: /[^\x20-\x7E·–—‘’“”…←-↓─│✓✗]| {9}/,
  lines: /[^\t\n\x20-\x7E·–—‘’“”…←-↓─│✓✗]| {9}|\n[\t ]*\n[\t ]*\n[\t ]*\n[\t ]*\n/,
  output: /[^\t\n\x20-\x7E·–—‘’“”…←-↓─│✓✗]/,
};
const BLANK = /\p{Zs}/u;
/** Four or more, after the end of a line. */
const BLANK_LINES = /(?<=\n)(?:[\t ]*\n){4,}/g;

type RunKind = SuspectSpan['kind'] | 'blank-lines';
type Run = { start: number; end: number; character: string; times: number; kind: RunKind };

/** Parts to escape, in order; a repeated character is one run. */
function* runsOf(text: string, layout: TextLayout): Generator<Readonly<Run>, void> {
  let run = null as Run | null;
  for (const { start, end, kind } of spansOf(text, layout)) {
    const continues = run !== null && run.end === start && run.kind === 'invisible' && kind === 'invisible';
    // A megabyte of zero bytes is one run: it grows in place.
    if (run !== null && continues && text.startsWith(run.character, start)) {
      run.end = end;
      run.times += 1;
      continue;
    }
    if (run !== null) yield run;
    run = { start, end, kind, character: text.slice(start, end), times: 1 };
  }
  if (run !== null) yield run;
}

function* spansOf(
  text: string,
  layout: TextLayout,
): Generator<Readonly<Omit<Run, 'character' | 'times'>>, void> {
  const blankLines =
    layout === 'lines'
      ? // The last newline stays.
        [...text.matchAll(BLANK_LINES)].map(({ 0: lines, index }) => ({
          start: index,
          end: index + lines.length - 1,
        }))
      : [];
  let [at, seen] = [0, 0];
  for (const span of suspectSpans(text)) {
    const folded = blankLines[at];
    if (span.start < seen) continue;
    if (folded !== undefined && span.start >= folded.start) {
      yield { ...folded, kind: 'blank-lines' };
      seen = folded.end;
      at += 1;
    } else if (layout === 'row' || !isLayout(text, layout, span)) yield span;
  }
}

/** Whether a span is part of the layout of lines and columns. */
function isLayout(text: string, layout: TextLayout, { start, end, kind }: SuspectSpan): boolean {
  if (kind === 'invisible') return text[start] === '\n' || text[start] === '\t';
  if (kind !== 'blanks') return false;
  return layout === 'output' || (end - start <= MAX_INDENT && (start === 0 || text[start - 1] === '\n'));
}

function writtenOut({ kind, character, start, end, times }: Run, text: string): string {
  if (kind === 'blanks') return `·×${end - start}`;
  if (kind === 'blank-lines') return `⋯ ${text.slice(start, end + 1).split('\n').length - 1} blank lines`;
  const once = kind === 'look-alike' ? codePoint(character) : escaped(character);
  return times === 1 ? once : `${once}×${times}`;
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
