import { parseAst } from 'rolldown/parseAst';
import { isNode, type Node, type SourceFile } from './source-facts.ts';

/** A test or a suite, with what lies in it. */
export type TitledTest = Readonly<{
  kind: 'test' | 'suite';
  /** Values only known at run time are {@link VALUE}. */
  title: string;
  /** `skipped` and `todo`: in every environment. */
  state: 'runs' | 'skipped' | 'todo';
  /** `test.skipIf(isSlow).for([…])` as words: `test`, `skipIf`, `for`. */
  words: readonly string[];
  /** What is called with the title, with the rows of a table. */
  callee: Node;
  inside: readonly TitledTest[];
}>;

/** How a value that is only known at run time is written in a title. */
export const VALUE = '${…}';

const TESTS: ReadonlySet<string> = new Set(['test', 'it']);
const SUITES: ReadonlySet<string> = new Set(['describe', 'suite']);

/** Finds the tests of one test file by its syntax; nothing is run. @throws when the syntax is broken. */
export function testTitlesIn({ path, text }: SourceFile): readonly TitledTest[] {
  const tree = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path);
  return titledBelow(tree, new Map([...TESTS, ...SUITES].map((name) => [name, name])));
}

/** Names that call vitest, each with the function of vitest that it stands for. */
type Names = ReadonlyMap<string, string>;

function titledBelow(value: unknown, names: Names): readonly TitledTest[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const known = withAliases(value, names);
    return value.flatMap((one) => titledBelow(one, known));
  }
  const titled = isNode(value) ? titledOf(value, names) : undefined;
  return titled === undefined ? Object.values(value).flatMap((child) => titledBelow(child, names)) : [titled];
}

/** `const inBrowser = test.skipIf(noBrowser)`: from then on `inBrowser` is a test that may be skipped. */
function withAliases(statements: readonly unknown[], names: Names): Names {
  const aliases = statements
    .filter((statement) => isNode(statement) && statement['type'] === 'VariableDeclaration')
    .flatMap((statement) => (statement as Node)['declarations'] as readonly Node[])
    .flatMap(({ id, init }) => {
      const called = calledBy(init, names);
      return called !== undefined && isNode(id)
        ? [[String(id['name']), called.words.join('.')] as const]
        : [];
    });
  return aliases.length === 0 ? names : new Map([...names, ...aliases]);
}

function titledOf(node: Node, names: Names): TitledTest | undefined {
  if (node['type'] !== 'CallExpression') return undefined;
  const called = calledBy(node['callee'], names);
  if (called === undefined) return undefined;
  const [first, ...others] = node['arguments'] as readonly Node[];
  // `test.each([…])` and `test.extend({…})` have no title: they make the function that gets one.
  if (first === undefined || others.length + Number(called.words.includes('todo')) === 0) return undefined;
  const { words } = called;
  const state = words.includes('todo') ? 'todo' : words.includes('skip') ? 'skipped' : 'runs';
  const one = { title: textOf(first), state, words, callee: node['callee'] as Node } as const;
  if (!SUITES.has(words[0] ?? '')) return { kind: 'test', ...one, inside: [] };
  const inside = others.map((argument) => ({ ...argument }));
  return { kind: 'suite', ...one, inside: inherited(titledBelow(inside, names), state) };
}

/** Nothing in a skipped suite runs. */
function inherited(inside: readonly TitledTest[], state: TitledTest['state']): readonly TitledTest[] {
  if (state === 'runs') return inside;
  return inside.map((one) => ({ ...one, state, inside: inherited(one.inside, state) }));
}

/** `test.skip`, `describe.each([…])`, `` test.each`…` `` as the words of its name; undefined if it is none of vitest. */
function calledBy(callee: unknown, names: Names): Readonly<{ words: readonly string[] }> | undefined {
  if (!isNode(callee)) return undefined;
  switch (callee['type']) {
    case 'Identifier': {
      const name = names.get(String(callee['name']));
      return name === undefined ? undefined : { words: name.split('.') };
    }
    case 'MemberExpression': {
      const before = calledBy(callee['object'], names);
      const property = callee['property'];
      return before && isNode(property) ? { words: [...before.words, String(property['name'])] } : undefined;
    }
    case 'CallExpression':
      return calledBy(callee['callee'], names);
    case 'TaggedTemplateExpression':
      return calledBy(callee['tag'], names);
    default:
      return undefined;
  }
}

/** The text of a title, with `${…}` for what the source does not say. */
function textOf(node: Node): string {
  switch (node['type']) {
    case 'Literal':
      return String(node['value']);
    case 'TemplateLiteral':
      return (node['quasis'] as readonly Node[])
        .map(({ value }) => (isNode(value) ? String(value['cooked']) : ''))
        .join(VALUE);
    case 'BinaryExpression':
      return `${textOf(node['left'] as Node)}${textOf(node['right'] as Node)}`;
    default:
      return VALUE;
  }
}
