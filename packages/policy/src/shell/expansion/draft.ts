import { MAX_LINE_LENGTH } from '../syntax/guards.ts';
import { mixOrigins, type Origin, PLAIN, type Value } from '../word.ts';

/** A word with more possible texts counts as unknown. */
const MAX_CHOICES = 16;

/** A word under expansion: all texts it may have so far, and what else is known. */
export type Draft = {
  texts: readonly string[];
  glob: boolean;
  /** Something unknown was met: `texts` are only prefixes from here on. */
  open: boolean;
  splits: boolean;
  guess: string;
  /** All unknown parts are numbers. */
  isNumber: boolean;
  origin: Origin;
};

/** Longer patterns are not matched against names, and count as any. */
const MAX_PATTERN = 512;
/** A longer word counts as unknown from there on: `a=$a$a` doubles each time. */
const MAX_TEXT = MAX_LINE_LENGTH;

export function emptyDraft(): Draft {
  return { texts: [''], glob: false, open: false, splits: false, guess: '', isNumber: true, origin: PLAIN };
}

export function finish(draft: Draft): Value {
  const [text = ''] = draft.texts;
  if (draft.open) {
    const beginning = draft.texts.length === 1 && !draft.glob ? text : '';
    const rest = { kind: 'dynamic', beginning, splits: draft.splits } as const;
    return { ...rest, guess: draft.guess, ...(draft.isNumber ? { isNumber: true } : {}) };
  }
  if (draft.glob) {
    if (draft.texts.length === 1 && text.length <= MAX_PATTERN) return { kind: 'glob', pattern: text };
    return { kind: 'dynamic', beginning: '', splits: true };
  }
  return draft.texts.length === 1 ? { kind: 'literal', text } : { kind: 'choice', texts: draft.texts };
}

export function appendTexts(drafts: readonly Draft[], texts: readonly string[]): void {
  for (const draft of drafts) {
    draft.guess = (draft.guess + texts.slice(0, 1).join('')).slice(0, MAX_TEXT);
    if (draft.open) continue;
    const grown =
      draft.texts.length * texts.length > MAX_CHOICES
        ? undefined
        : draft.texts.flatMap((text) => texts.map((more) => text + more));
    if (grown?.every((text) => text.length <= MAX_TEXT) === true) draft.texts = grown;
    else {
      draft.open = true;
      draft.isNumber = false;
    }
  }
}

export function appendUnknown(
  drafts: readonly Draft[],
  splits: boolean,
  {
    guess,
    origin,
    isNumber = false,
  }: Readonly<{ guess: string | undefined; origin: Origin; isNumber?: boolean }>,
): void {
  for (const draft of drafts) {
    draft.open = true;
    draft.isNumber &&= isNumber;
    draft.splits ||= splits;
    draft.guess = (draft.guess + (guess ?? '')).slice(0, MAX_TEXT);
    draft.origin = mixOrigins(draft.origin, origin);
  }
}
