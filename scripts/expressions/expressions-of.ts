import { parseAst } from 'rolldown/parseAst';
import type { SourceFile } from '../source-facts.ts';

/** A regular expression in one source file. */
export type Expression = Readonly<{ path: string; line: number; source: string; flags: string }>;

/** The regular expressions of one file; `built` are the texts of those known only at run time. */
export type Expressions = Readonly<{ constant: readonly Expression[]; built: readonly Expression[] }>;

/**
 * Finds every regular expression of one TypeScript file without running it: literals, and `RegExp(…)` of a text that
 * follows from constants of the same file. Other parts are written `${…}` in `built`.
 */
export function expressionsOf({ path, text }: SourceFile): Expressions {
  const nodes = [...nodesOf(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path))];
  const constants = new Map(
    nodes
      .filter((node) => node['type'] === 'VariableDeclaration' && node['kind'] === 'const')
      .flatMap((node) => node['declarations'] as Node[])
      .map((declarator) => [(declarator['id'] as Node)['name'], declarator['init']]),
  );
  const constant: Expression[] = [];
  const built: Expression[] = [];
  for (const node of nodes) {
    const line = text.slice(0, node['start'] as number).split('\n').length;
    if (isNode(node['regex'])) {
      constant.push({
        path,
        line,
        source: String(node['regex']['pattern']),
        flags: String(node['regex']['flags']),
      });
    } else if (makesExpression(node)) {
      const [source, flags] = node['arguments'] as Node[];
      const value = textOf(source, constants);
      const found = { path, line, source: value, flags: flags === undefined ? '' : textOf(flags, constants) };
      (value.includes(UNKNOWN) ? built : constant).push(found);
    }
  }
  return { constant, built };
}

const UNKNOWN = '${…}';

type Constants = ReadonlyMap<unknown, unknown>;

type Node = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);
}

function makesExpression(node: Node): boolean {
  return (
    (node['type'] === 'NewExpression' || node['type'] === 'CallExpression') &&
    (node['callee'] as Node)['name'] === 'RegExp'
  );
}

/** The text of a TypeScript expression, with `${…}` for parts known only at run time. */
function textOf(node: unknown, constants: Constants): string {
  if (!isNode(node)) return UNKNOWN;
  switch (node['type']) {
    case 'Literal':
      return isNode(node['regex']) ? String(node['regex']['pattern']) : String(node['value']);
    case 'Identifier':
      return textOf(constants.get(node['name']), constants);
    case 'MemberExpression':
      return (node['property'] as Node)['name'] === 'source' ? textOf(node['object'], constants) : UNKNOWN;
    case 'BinaryExpression':
      return node['operator'] === '+'
        ? textOf(node['left'], constants) + textOf(node['right'], constants)
        : UNKNOWN;
    case 'TaggedTemplateExpression':
      return templateText(node['quasi'] as Node, 'raw', constants);
    case 'TemplateLiteral':
      return templateText(node, 'cooked', constants);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return textOf(node['expression'], constants);
    case 'CallExpression':
      return joinedText(node, constants);
    default:
      return UNKNOWN;
  }
}

/** `[…].join('|')`, and the same for expressions: `[…].map(({ source }) => source).join('|')`. */
function joinedText(call: Node, constants: Constants): string {
  const { object, property } = call['callee'] as Node;
  if (!isNode(object) || !isNode(property) || property['name'] !== 'join') return UNKNOWN;
  const isMapped = object['type'] === 'CallExpression';
  const list = isMapped ? (object['callee'] as Node)['object'] : object;
  const array = isNode(list) && list['type'] === 'Identifier' ? constants.get(list['name']) : list;
  if (!isNode(array) || array['type'] !== 'ArrayExpression') return UNKNOWN;
  const elements = array['elements'] as Node[];
  if (isMapped && !elements.every((element) => isNode(element['regex']))) return UNKNOWN;
  const [separator] = call['arguments'] as Node[];
  return elements.map((element) => textOf(element, constants)).join(textOf(separator, constants));
}

function templateText(template: Node, form: 'raw' | 'cooked', constants: Constants): string {
  const values = template['expressions'] as Node[];
  return (template['quasis'] as { value: Record<string, string> }[])
    .map(({ value }, index) => value[form] + (index < values.length ? textOf(values[index], constants) : ''))
    .join('');
}
