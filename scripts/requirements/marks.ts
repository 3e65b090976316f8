import { parseAst } from 'rolldown/parseAst';
import { isNode, type Node, type SourceFile } from '../source-facts.ts';
import { marksOf } from './ids.ts';

/** A title in a test file that names requirements. */
export type Mark = Readonly<{
  file: string;
  /** From the outermost `describe` to the title that carries the ids. Values only known at run time are `${…}`. */
  titles: readonly string[];
  ids: readonly string[];
  /** `skipped` and `todo`: in every environment. A title of a `describe` runs if one of its tests does. */
  state: 'runs' | 'skipped' | 'todo';
}>;

/** How a value that is only known at run time is written in a title. */
export const VALUE = '${…}';

const TESTS: ReadonlySet<string> = new Set(['test', 'it']);
const SUITES: ReadonlySet<string> = new Set(['describe', 'suite']);

/** Finds the marks of one test file by its syntax; nothing is run. @throws when the syntax is broken. */
export function marksIn({ path, text }: SourceFile): readonly Mark[] {
  const tree = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path);
  return marksBelow(titledBelow(tree, new Map([...TESTS, ...SUITES].map((name) => [name, name]))), {
    file: path,
    titles: [],
  });
}

/** A test or a suite, with what lies in it. */
type Titled = Readonly<{
  kind: 'test' | 'suite';
  title: string;
  state: Mark['state'];
  inside: readonly Titled[];
}>;

function marksBelow(titled: readonly Titled[], outer: Pick<Mark, 'file' | 'titles'>): readonly Mark[] {
  return titled.flatMap((one) => {
    const place = { file: outer.file, titles: [...outer.titles, one.title] };
    const ids = marksOf(one.title);
    const own = ids.length > 0 ? [{ ...place, ids, state: stateOf(one) }] : [];
    return [...own, ...marksBelow(one.inside, place)];
  });
}

function stateOf({ kind, state, inside }: Titled): Mark['state'] {
  if (kind === 'test' || state !== 'runs') return state;
  const states = inside.map(stateOf);
  return states.length === 0 || states.includes('runs') ? 'runs' : (states[0] ?? 'runs');
}

/** Names that call vitest, each with the function of vitest that it stands for. */
type Names = ReadonlyMap<string, string>;

function titledBelow(value: unknown, names: Names): readonly Titled[] {
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

function titledOf(node: Node, names: Names): Titled | undefined {
  if (node['type'] !== 'CallExpression') return undefined;
  const called = calledBy(node['callee'], names);
  if (called === undefined) return undefined;
  const [first, ...others] = node['arguments'] as readonly Node[];
  // `test.each([…])` and `test.extend({…})` have no title: they make the function that gets one.
  if (first === undefined || others.length + Number(called.words.includes('todo')) === 0) return undefined;
  const state = called.words.includes('todo') ? 'todo' : called.words.includes('skip') ? 'skipped' : 'runs';
  const inside = others.map((argument) => ({ ...argument }));
  return SUITES.has(called.words[0] ?? '')
    ? { kind: 'suite', title: textOf(first), state, inside: inherited(titledBelow(inside, names), state) }
    : { kind: 'test', title: textOf(first), state, inside: [] };
}

/** Nothing in a skipped suite runs. */
function inherited(inside: readonly Titled[], state: Mark['state']): readonly Titled[] {
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
