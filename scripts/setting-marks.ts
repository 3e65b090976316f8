import { isNode, nodesOf, type SourceFile } from './source-facts.ts';
import { testTitlesIn, type TitledTest } from './test-titles.ts';

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails']);

/** A settings key in the title of a test: `(setting: approval.expiry, mode)`; `$key` is that of each row of a table. */
export type SettingMark = Readonly<{
  key: string;
  file: string;
  title: string;
  /** Also if it runs only under a condition. */
  mayBeSkipped: boolean;
}>;

/** Finds the marks of one test file by its syntax; nothing is run. @throws when the syntax is broken. */
export function settingMarksIn(source: SourceFile): readonly SettingMark[] {
  if (!source.text.includes('(setting: ')) return [];
  return marksBelow(testTitlesIn(source), { file: source.path, mayBeSkipped: false });
}

function marksBelow(
  titled: readonly TitledTest[],
  outer: Pick<SettingMark, 'file' | 'mayBeSkipped'>,
): readonly SettingMark[] {
  return titled.flatMap(({ title, words, callee, inside }) => {
    const mayBeSkipped = outer.mayBeSkipped || words.some((word) => CONDITIONS.has(word));
    const keys = [...title.matchAll(/\(setting: ([^()]+)\)/g)]
      .flatMap(([, list = '']) => (list === '$key' ? keysIn(callee) : [list]))
      .flatMap((list) => list.split(', '));
    return [
      ...keys.map((key) => ({ key, file: outer.file, title, mayBeSkipped })),
      ...marksBelow(inside, { ...outer, mayBeSkipped }),
    ];
  });
}

/** The values of `key` in the rows of a table. */
function keysIn(table: unknown): readonly string[] {
  return nodesOf(table).flatMap(({ type, key, value }) =>
    type === 'Property' && isNode(key) && key['name'] === 'key' && isNode(value)
      ? [String(value['value'])]
      : [],
  );
}
