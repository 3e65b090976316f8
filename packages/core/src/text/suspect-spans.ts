/**
 * A part of a text that a screen would hide, obey or draw like something else: one `invisible` character, one letter
 * that is a `look-alike` of a Latin one, or more than 8 `blanks` in a row. In UTF-16 units.
 */
export type SuspectSpan = Readonly<{
  start: number;
  end: number;
  kind: 'invisible' | 'look-alike' | 'blanks';
}>;

/**
 * Every suspect part of a text, from left to right.
 *
 * Linear in the length of the text, whatever it contains: a model writes it, and must not freeze a person's screen. So
 * words are matched whole, and each is checked for mixed scripts afterwards.
 */
export function* suspectSpans(text: string): Generator<SuspectSpan, void> {
  for (const { 0: found, index } of text.matchAll(patterns().wordBlanksOrInvisible)) {
    if (found.startsWith(' ')) yield { start: index, end: index + found.length, kind: 'blanks' };
    else yield* suspectCharacters(found, index);
  }
}

/** A Greek or Cyrillic word by itself is a plain word; such a letter in a Latin word is a look-alike. */
function* suspectCharacters(word: string, start: number): Generator<SuspectSpan, void> {
  const { latin, lookAlike, invisible, invisibleOrLookAlike } = patterns();
  const isMixed = latin.test(word) && lookAlike.test(word);
  for (const { 0: letter, index } of word.matchAll(isMixed ? invisibleOrLookAlike : invisible)) {
    const kind = isMixed && lookAlike.test(letter) ? 'look-alike' : 'invisible';
    yield { start: start + index, end: start + index + letter.length, kind };
  }
}

type Patterns = Readonly<
  Record<'lookAlike' | 'latin' | 'invisible' | 'invisibleOrLookAlike' | 'wordBlanksOrInvisible', RegExp>
>;

let made: Patterns | undefined;

/** Made when a text first needs them: their tables of letters take longer than a short subcommand's own work. */
function patterns(): Patterns {
  return (made ??= createPatterns());
}

function createPatterns(): Patterns {
  /** Letters that fonts draw like Latin ones: of other scripts, and the full-width and mathematical ones. */
  const lookAlike =
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7CB}]/u;
  /**
   * Control, format, surrogate, private use, unassigned, line separators, ignorable, blanks other than the space, and two
   * symbols that are drawn as nothing. Some of these are letters or marks as well, and so stand inside words.
   */
  const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]|(?! )\p{Zs}/gu;
  return {
    lookAlike,
    latin: /[\p{Script=Latin}--[\uFF21-\uFF3A\uFF41-\uFF5A]]/v,
    invisible,
    invisibleOrLookAlike: new RegExp(`${invisible.source}|${lookAlike.source}`, 'gu'),
    wordBlanksOrInvisible: new RegExp(String.raw`[\p{L}\p{M}]+| {9,}|${invisible.source}`, 'gu'),
  };
}
