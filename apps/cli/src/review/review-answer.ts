import type { NumberedFile } from './review-view.ts';

/** What a person typed at the review. */
export type ReviewAnswer =
  | Readonly<{ kind: 'show'; file: NumberedFile }>
  | Readonly<{ kind: 'undo'; what: string; files: readonly NumberedFile[] }>
  | Readonly<{ kind: 'commit' | 'leave' }>
  | Readonly<{ kind: 'unclear'; why: string }>;

/** `3` shows a file, `u 3 4` or `u openai` undoes, `c` is for the commit, `q` and nothing leave all as it is. */
export function readAnswer(typed: string, files: readonly NumberedFile[]): ReviewAnswer {
  const [first = '', ...rest] = typed.trim().split(/\s+/).slice(0, 200);
  if (first === '' || first === 'q') return { kind: 'leave' };
  if (first === 'c') return { kind: 'commit' };
  if (first !== 'u') {
    const file = files.find(({ number }) => String(number) === first);
    return file === undefined
      ? { kind: 'unclear', why: `there is no file ${first}` }
      : { kind: 'show', file };
  }
  const found = rest.map((word) =>
    files.filter(({ number, provider }) => String(number) === word || provider === word),
  );
  const missing = rest.find((_, at) => found[at]?.length === 0);
  if (missing !== undefined) return { kind: 'unclear', why: `there is no file or provider ${missing}` };
  if (rest.length === 0) return { kind: 'unclear', why: 'u needs a number or a provider' };
  return { kind: 'undo', what: rest.join(', '), files: [...new Set(found.flat())] };
}
