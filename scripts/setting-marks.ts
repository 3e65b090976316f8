import { parseAst } from 'rolldown/parseAst';
import { isNode, nodesOf, type Node, type SourceFile } from './source-facts.ts';

/** A settings key in the title of a test: `(setting: approval.expiry, mode)`; `$key` is that of each row of a table. */
export type SettingMark = Readonly<{
  key: string;
  file: string;
  title: string;
  /** Also if it runs only under a condition. */
  mayBeSkipped: boolean;
}>;

/** Finds the marks of one test file by its syntax; nothing is run. @throws when the syntax is broken. */
export function settingMarksIn({ path, text }: SourceFile): readonly SettingMark[] {
  if (!text.includes('(setting: ')) return [];
  return marksBelow(parseAst(text, { lang: 'ts' }, path), { file: path, mayBeSkipped: false });
}

function marksBelow(
  value: unknown,
  outer: Pick<SettingMark, 'file' | 'mayBeSkipped'>,
): readonly SettingMark[] {
  if (typeof value !== 'object' || value === null) return [];
  const words = isNode(value) && value['type'] === 'CallExpression' ? wordsOf(value['callee']) : [];
  if (!isNode(value) || !['test', 'it', 'describe'].includes(words[0] ?? ''))
    return Object.values(value).flatMap((child) => marksBelow(child, outer));
  const [first, ...others] = value['arguments'] as readonly Node[];
  const title = first === undefined ? '' : textOf(first);
  const mayBeSkipped =
    outer.mayBeSkipped || words.some((word) => /^(?:skip|skipIf|runIf|todo|fails)$/.test(word));
  const keys = [...title.matchAll(/\(setting: ([^()]+)\)/g)]
    .flatMap(([, list = '']) => (list === '$key' ? keysIn(value['callee']) : [list]))
    .flatMap((list) => list.split(', '));
  return [
    ...keys.map((key) => ({ key, file: outer.file, title, mayBeSkipped })),
    ...marksBelow(others, { ...outer, mayBeSkipped }),
  ];
}

/** The values of `key` in the rows of a table. */
function keysIn(table: unknown): readonly string[] {
  return nodesOf(table).flatMap(({ type, key, value }) =>
    type === 'Property' && isNode(key) && key['name'] === 'key' && isNode(value)
      ? [String(value['value'])]
      : [],
  );
}

/** `test.for([…])` as the words of its name. */
function wordsOf(callee: unknown): readonly string[] {
  if (!isNode(callee)) return [];
  switch (callee['type']) {
    case 'Identifier':
      return [String(callee['name'])];
    case 'MemberExpression':
      return [...wordsOf(callee['object']), ...wordsOf(callee['property'])];
    case 'CallExpression':
      return wordsOf(callee['callee']);
    default:
      return [];
  }
}

function textOf(title: Node): string {
  if (title['type'] === 'Literal') return String(title['value']);
  if (title['type'] !== 'TemplateLiteral') return '';
  return (title['quasis'] as readonly Node[])
    .map(({ value }) => (isNode(value) ? String(value['cooked']) : ''))
    .join('…');
}
