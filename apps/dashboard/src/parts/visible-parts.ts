/** A part of a text; `hidden` ones stand for characters that a page would hide or obey. */
export type VisiblePart = Readonly<{ text: string; hidden: boolean }>;

/** Controls but the newline and the tab, formats, bidirectional marks, separators and blanks other than the space. */
const HIDDEN = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
/** Nothing in it can hide; most texts are like that, and this is quickly seen. */
const PLAIN = /^[\t\n\x20-\x7E]*$/;
/** Boxes drawn for one text: a megabyte of zero bytes must not stop the page. What comes after is written out without. */
const MOST_BOXES = 500;

/** Text as a person may safely see it: nothing in it hides, and nothing turns the others around. */
export function visibleParts(text: string): readonly VisiblePart[] {
  if (PLAIN.test(text)) return [{ text, hidden: false }];
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const { character, times, from } of hiddenRuns(text)) {
    if (parts.length >= 2 * MOST_BOXES) {
      parts.push({ text: visibleText(text.slice(end)), hidden: false });
      return parts;
    }
    if (from > end) parts.push({ text: text.slice(end, from), hidden: false });
    parts.push({ text: runText(character, times), hidden: true });
    end = from + character.length * times;
  }
  if (end < text.length) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

/** The same where nothing can be drawn around a part, as in a title: `rm ⟨U+202E⟩fdp.txt`. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(
    HIDDEN_RUNS,
    (run, character: string) => `⟨${runText(character, run.length / character.length)}⟩`,
  );
}

export function hidesSomething(text: string): boolean {
  return !PLAIN.test(text) && text.search(HIDDEN) >= 0;
}

/** One character, again and again. */
const HIDDEN_RUNS = new RegExp(`(${HIDDEN.source})\\1*`, 'gu');

function* hiddenRuns(text: string) {
  for (const match of text.matchAll(HIDDEN_RUNS)) {
    const [run, character = run] = match;
    yield { character, times: run.length / character.length, from: match.index };
  }
}

function runText(character: string, times: number): string {
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return times === 1 ? name : `${name} × ${times}`;
}
