/** A part of a text; `hidden` ones stand for a character that a page would hide or obey. */
export type VisiblePart = Readonly<{ text: string; hidden: boolean }>;

/** Controls but the newline and the tab, formats, bidirectional marks, separators and blanks other than the space. */
const HIDDEN = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** Text as a person may safely see it: nothing in it hides, and nothing turns the others around. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), hidden: false });
    parts.push({ text: codePoint(match[0]), hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

export function hidesSomething(text: string): boolean {
  return visibleParts(text).some(({ hidden }) => hidden);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
