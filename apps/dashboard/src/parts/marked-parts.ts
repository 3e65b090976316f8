export type MarkedPart = Readonly<{ text: string; isMarked: boolean }>;

/** Text split at matches, ignoring case. */
export function markedParts(text: string, wanted: string): readonly MarkedPart[] {
  if (wanted === '') return [{ text, isMarked: false }];
  const pattern = new RegExp(`(${wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)})`, 'giu');
  return text
    .split(pattern)
    .map((part, at) => ({ text: part, isMarked: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}
