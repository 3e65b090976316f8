import type { NumberedFile, NumberedHunk } from './review-view.ts';

/** Whole files, and single hunks of other files. */
export type ReviewSelection = Readonly<{ files: readonly NumberedFile[]; hunks: readonly NumberedHunk[] }>;

/** Parsed input of the review prompt. */
export type ReviewAnswer =
  | Readonly<{ kind: 'show'; file: NumberedFile }>
  | Readonly<{ kind: 'keep' | 'undo'; chosen: ReviewSelection }>
  | Readonly<{ kind: 'commit' | 'leave' }>
  | Readonly<{ kind: 'unclear'; why: string }>;

/**
 * `3` shows a file, `k 3` and `k openai` keep, `u 3 4`, `u 3.1` and `u openai` undo, `c` commits, `q` and empty input
 * leave everything as it is.
 */
export function readAnswer(typed: string, files: readonly NumberedFile[]): ReviewAnswer {
  const [first = '', ...rest] = typed.trim().split(/\s+/).slice(0, 200);
  if (first === '' || first === 'q') return { kind: 'leave' };
  if (first === 'c') return { kind: 'commit' };
  if (first !== 'u' && first !== 'k') {
    const file = files.find(({ number }) => String(number) === first);
    return file === undefined ? { kind: 'unclear', why: `no file ${first}` } : { kind: 'show', file };
  }
  const found = rest.map((word) => chosenBy(word, files));
  const missing = rest.find((_, at) => found[at]?.files.length === 0 && found[at].hunks.length === 0);
  if (missing !== undefined) return { kind: 'unclear', why: `no file, hunk or provider ${missing}` };
  if (rest.length === 0) return { kind: 'unclear', why: `${first} needs a number or a provider` };
  const whole = [...new Set(found.flatMap((one) => one.files))];
  const hunks = [...new Set(found.flatMap((one) => one.hunks))].filter(
    ({ file }) => !whole.some(({ number }) => number === file),
  );
  return { kind: first === 'u' ? 'undo' : 'keep', chosen: { files: whole, hunks } };
}

function chosenBy(word: string, files: readonly NumberedFile[]): ReviewSelection {
  return {
    files: files.filter(({ number, provider }) => String(number) === word || provider === word),
    hunks: files.flatMap(({ hunks }) => hunks).filter(({ label }) => label === word),
  };
}
