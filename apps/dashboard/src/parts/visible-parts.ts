import { suspectSpans } from '@signalbox/core/suspect-spans';

/** A part of a text; `hidden` ones stand for characters that a page would hide or obey. */
export type VisiblePart = Readonly<{ text: string; hidden: boolean }>;

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
  let shown = '';
  let end = 0;
  for (const { character, times, from } of hiddenRuns(text)) {
    shown += `${text.slice(end, from)}⟨${runText(character, times)}⟩`;
    end = from + character.length * times;
  }
  return shown + text.slice(end);
}

export function hidesSomething(text: string): boolean {
  return !PLAIN.test(text) && !hiddenRuns(text).next().done;
}

/** One character, again and again; the page keeps blanks, newlines and tabs as they are. */
function* hiddenRuns(text: string) {
  let run: { character: string; times: number; from: number } | null = null;
  for (const { start, end, kind } of suspectSpans(text)) {
    const character = text.slice(start, end);
    if (kind === 'blanks' || character === '\n' || character === '\t') continue;
    const runsTo: number = run === null ? -1 : run.from + run.character.length * run.times;
    if (run !== null && run.character === character && runsTo === start) {
      run.times += 1;
      continue;
    }
    if (run !== null) yield run;
    run = { character, times: 1, from: start };
  }
  if (run !== null) yield run;
}

function runText(character: string, times: number): string {
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return times === 1 ? name : `${name} × ${times}`;
}
