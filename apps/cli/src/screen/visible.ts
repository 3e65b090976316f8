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
  let end = 0;
  for (const match of text.matchAll(SUSPECT)) {
    const written = writtenOut(match[0]);
    if (written === match[0]) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), hidden: false });
    parts.push({ text: written, hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

/** Whether there is anything that {@link visible} writes out. */
export function hidesSomething(text: string): boolean {
  return visibleParts(text).some(({ hidden }) => hidden);
}

/** Printable ASCII without long runs of blanks: nearly all text, and nothing to do for it. */
const PLAIN = /^(?: {0,8}[!-~])* {0,8}$/;

/**
 * In this order: a word of mixed scripts, a run of blanks, and a character that is no visible one: control,
 * format, surrogate, private use, unassigned, line separators, ignorable, and blanks other than the space.
 */
const SUSPECT =
  /[\p{L}\p{M}]*(?:\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\p{L}\p{M}]*\p{Script=Latin})[\p{L}\p{M}]*| {9,}|[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;

function writtenOut(match: string): string {
  if (match.startsWith(' ')) return `·×${match.length}`;
  return match.replaceAll(NOT_SHOWN, escaped).replaceAll(LOOK_ALIKE, (letter) =>
    // A Greek or Cyrillic word on its own is just a word.
    /\p{Script=Latin}/u.test(match) ? codePoint(letter) : letter,
  );
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
