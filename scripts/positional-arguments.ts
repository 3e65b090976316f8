import { parseAst } from 'rolldown/parseAst';
import { isNode, type Node, nodesOf, type SourceFile } from './source-facts.ts';

/** A function that takes too much by position. */
export type LongSignature = Readonly<{ path: string; name: string; count: number }>;

/** Types of values that a call should name. */
const UNNAMED = new Set([
  'TSStringKeyword',
  'TSNumberKeyword',
  'TSBooleanKeyword',
  'TSBigIntKeyword',
  'TSLiteralType',
  'TSArrayType',
  'TSTupleType',
  'TSTypeOperator',
  'TSTemplateLiteralType',
  'TSUnknownKeyword',
]);

/**
 * Functions with more than two positional arguments. A third may be an object or a callback, or collect the rest.
 * Callbacks written where they are passed are not counted: who calls them decides.
 */
export function longSignaturesOf(files: readonly SourceFile[]): readonly LongSignature[] {
  const parsed = files.map(({ path, text }) => {
    const nodes = nodesOf(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
    return { path, nodes, values: valueTypesOf(nodes) };
  });
  const exported = parsed.flatMap(({ values }) => [...values].filter(([, isExported]) => isExported));
  return parsed.flatMap(({ path, nodes, values }) => {
    const known = new Set([...exported, ...values].map(([name]) => name));
    return nodes.flatMap((node) => {
      const signature = signatureOf(node);
      if (signature === undefined) return [];
      const { name, params } = signature;
      const third = params[2];
      if (third === undefined || (params.length === 3 && isNamed(third, known))) return [];
      return [{ path, name, count: params.length }];
    });
  });
}

/** Types of a file whose values are strings, numbers or lists, and whether it exports them. */
function valueTypesOf(nodes: readonly Node[]): ReadonlyMap<string, boolean> {
  const exported = new Set(
    nodes.filter(({ type }) => type === 'ExportNamedDeclaration').map(({ declaration }) => declaration),
  );
  return new Map(
    nodes.flatMap((node) => {
      const { id, typeAnnotation } = node;
      return node['type'] === 'TSTypeAliasDeclaration' &&
        isNode(id) &&
        isNode(typeAnnotation) &&
        isUnnamed(typeAnnotation, new Set())
        ? [[String(id['name']), exported.has(node)] as const]
        : [];
    }),
  );
}

function signatureOf(node: Node): { name: string; params: readonly Node[] } | undefined {
  switch (node['type']) {
    case 'FunctionDeclaration':
      return named(node['id'], node['params']);
    case 'VariableDeclarator': {
      const { id, init } = node;
      if (!isNode(id) || !isNode(init) || id['typeAnnotation'] != null) return undefined;
      return isFunction(init) ? named(id, init['params']) : undefined;
    }
    case 'TSMethodSignature':
      return named(node['key'], node['params']);
    case 'TSPropertySignature': {
      const annotation = isNode(node['typeAnnotation'])
        ? node['typeAnnotation']['typeAnnotation']
        : undefined;
      return isNode(annotation) && annotation['type'] === 'TSFunctionType'
        ? named(node['key'], annotation['params'])
        : undefined;
    }
    case 'TSTypeAliasDeclaration': {
      const { id, typeAnnotation } = node;
      return isNode(typeAnnotation) && typeAnnotation['type'] === 'TSFunctionType'
        ? named(id, typeAnnotation['params'])
        : undefined;
    }
    default:
      return undefined;
  }
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

function named(id: unknown, params: unknown): { name: string; params: readonly Node[] } {
  return { name: isNode(id) ? String(id['name'] ?? id['value']) : '(default)', params: params as Node[] };
}

function isNamed(param: Node, values: ReadonlySet<string>): boolean {
  switch (param['type']) {
    case 'AssignmentPattern':
      return isNode(param['left']) && isNamed(param['left'], values) && !isLiteral(param['right']);
    case 'ObjectPattern':
    case 'RestElement':
      return true;
    case 'Identifier': {
      const annotation = isNode(param['typeAnnotation'])
        ? param['typeAnnotation']['typeAnnotation']
        : undefined;
      return !isNode(annotation) || !isUnnamed(annotation, values);
    }
    default:
      return false;
  }
}

function isLiteral(value: unknown): boolean {
  return isNode(value) && ['Literal', 'ArrayExpression', 'TemplateLiteral'].includes(String(value['type']));
}

function isUnnamed(type: Node, values: ReadonlySet<string>): boolean {
  if (UNNAMED.has(String(type['type']))) return true;
  if (type['type'] === 'TSUnionType')
    return (type['types'] as readonly Node[]).some((one) => isUnnamed(one, values));
  if (type['type'] !== 'TSTypeReference') return false;
  const name = isNode(type['typeName']) ? type['typeName']['name'] : undefined;
  return typeof name === 'string' && (values.has(name) || name === 'ReadonlyArray' || name === 'Array');
}
