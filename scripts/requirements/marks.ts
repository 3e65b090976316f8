import type { SourceFile } from '../source-facts.ts';
import { testTitlesIn, type TitledTest } from '../test-titles.ts';
import { marksOf } from './ids.ts';

/** A title in a test file that names requirements. */
export type Mark = Readonly<{
  file: string;
  /** From the outermost `describe` to the title that carries the ids. Values only known at run time are {@link VALUE}. */
  titles: readonly string[];
  ids: readonly string[];
  /** `skipped` and `todo`: in every environment. A title of a `describe` runs if one of its tests does. */
  state: TitledTest['state'];
}>;

/** Finds the marks of one test file by its syntax; nothing is run. @throws when the syntax is broken. */
export function marksIn(source: SourceFile): readonly Mark[] {
  return marksBelow(testTitlesIn(source), { file: source.path, titles: [] });
}

function marksBelow(titled: readonly TitledTest[], outer: Pick<Mark, 'file' | 'titles'>): readonly Mark[] {
  return titled.flatMap((one) => {
    const place = { file: outer.file, titles: [...outer.titles, one.title] };
    const ids = marksOf(one.title);
    const own = ids.length > 0 ? [{ ...place, ids, state: stateOf(one) }] : [];
    return [...own, ...marksBelow(one.inside, place)];
  });
}

function stateOf({ kind, state, inside }: TitledTest): Mark['state'] {
  if (kind === 'test' || state !== 'runs') return state;
  const states = inside.map(stateOf);
  return states.length === 0 || states.includes('runs') ? 'runs' : (states[0] ?? 'runs');
}
