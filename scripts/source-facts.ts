import { parseAst } from 'rolldown/parseAst';

export type SourceFile = Readonly<{ path: string; text: string }>;

export type Import = Readonly<{ specifier: string; typeOnly: boolean }>;

/** Facts about one source file that the rules of the repository need. */
export type SourceFacts = Readonly<{
  imports: readonly Import[];
  exportsAll: boolean;
  readsEnvironment: boolean;
}>;

/** Reads one TypeScript file without running it. @throws when its syntax is broken. */
export function sourceFactsOf({ path, text }: SourceFile): SourceFacts {
  const imports: Import[] = [];
  let exportsAll = false;
  let readsEnvironment = false;

  for (const node of nodesOf(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path))) {
    const imported = importOf(node);
    if (imported !== undefined) imports.push(imported);
    if (node['type'] === 'ExportAllDeclaration') exportsAll = true;
    if (takesEnvironment(node)) readsEnvironment = true;
  }
  return { imports, exportsAll, readsEnvironment };
}

export type Node = Readonly<Record<string, unknown>>;

/** Every node of a syntax tree, in the order of the source. */
export function nodesOf(tree: unknown): readonly Node[] {
  const nodes: Node[] = [];
  // An explicit stack: nested generators would pass each node up through all of its parents.
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isNode(value)) nodes.push(value);
    const children: readonly unknown[] = Object.values(value);
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]);
  }
  return nodes;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function importOf(node: Node): Import | undefined {
  switch (node['type']) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return importFrom(node['source'], [node['importKind'], node['exportKind']].includes('type'));
    case 'ImportExpression':
      return importFrom(node['source'], false);
    case 'TSImportType':
      return importFrom(node['source'] ?? node['argument'], true);
    case 'CallExpression':
      return loads(node['callee'])
        ? importFrom(Array.from(node['arguments'] as Node[])[0], false)
        : undefined;
    default:
      return undefined;
  }
}

function importFrom(source: unknown, typeOnly: boolean): Import | undefined {
  const literal = isNode(source) && source['type'] === 'TSLiteralType' ? source['literal'] : source;
  if (!isNode(literal)) return undefined;
  const specifier = literal['value'];
  return typeof specifier === 'string' ? { specifier, typeOnly } : undefined;
}

/** `require(…)`, `process.getBuiltinModule(…)` */
function loads(callee: unknown): boolean {
  return isIdentifier(callee, 'require') || propertyOf(callee) === 'getBuiltinModule';
}

/** `process.env`, `const { env } = process`, `import { env } from 'node:process'` */
function takesEnvironment(node: Node): boolean {
  switch (node['type']) {
    case 'MemberExpression':
      return propertyOf(node) === 'env' && isProcess(node['object']);
    case 'VariableDeclarator':
      return isProcess(node['init']) && takesProperty(node['id'], 'env');
    case 'ImportDeclaration':
      return /^(node:)?process$/.test(importOf(node)?.specifier ?? '') && takesImport(node, 'env');
    default:
      return false;
  }
}

function isProcess(node: unknown): boolean {
  return isIdentifier(node, 'process') || propertyOf(node) === 'process';
}

function isIdentifier(node: unknown, name: string): boolean {
  return isNode(node) && node['type'] === 'Identifier' && node['name'] === name;
}

/** The name after the dot, or in the brackets. */
function propertyOf(node: unknown): unknown {
  if (!isNode(node) || node['type'] !== 'MemberExpression') return undefined;
  const property = node['property'];
  if (!isNode(property)) return undefined;
  return property['type'] === 'Identifier' ? property['name'] : property['value'];
}

function takesProperty(pattern: unknown, name: string): boolean {
  if (!isNode(pattern) || pattern['type'] !== 'ObjectPattern') return false;
  return (pattern['properties'] as Node[]).some((property) => isIdentifier(property['key'], name));
}

function takesImport(declaration: Node, name: string): boolean {
  return (declaration['specifiers'] as Node[]).some((specifier) => isIdentifier(specifier['imported'], name));
}
