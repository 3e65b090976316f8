import { parseAst } from 'rolldown/parseAst';
import { isNode, type Node, nodesOf, type SourceFile } from './source-facts.ts';

/** Code that could run a tool without the one entry. */
export type Bypass = Readonly<{ path: string; why: string }>;

/** Wraps the handler that `executeCall` is given: it keeps the answer, and calls nothing by itself. */
const WRAPS_HANDLERS = 'packages/coordinator/src/reuse/read-reuse.ts';
/** The only file that calls a tool's handler, under a lease and after a ruling. */
const CALLS_HANDLERS = 'packages/coordinator/src/command/running/execute-call.ts';
/** Files that may use each step of the way to it, in order: the command runner, its parts, its start, the call. */
const MAY_TAKE: ReadonlyMap<string, readonly string[]> = new Map([
  ['executeCall', [CALLS_HANDLERS, 'packages/coordinator/src/command/start-execution.ts']],
  [
    'createStart',
    [
      'packages/coordinator/src/command/start-execution.ts',
      'packages/coordinator/src/command/create-runner-dependencies.ts',
    ],
  ],
  [
    'createRunnerDependencies',
    [
      'packages/coordinator/src/command/create-runner-dependencies.ts',
      'packages/coordinator/src/create-coordinator.ts',
    ],
  ],
  [
    'createCommandRunner',
    ['packages/coordinator/src/command/command-runner.ts', 'packages/coordinator/src/create-coordinator.ts'],
  ],
]);

/** Text that such a file must contain: parsing every file takes ten times as long. */
const NAMED = new RegExp(`handle\\b|${[...MAY_TAKE.keys()].join('|')}`);

/**
 * Finds every place that takes a tool's `handle` to call it, or what calls it, without being allowed to. Defining a
 * handler is not such a place. Pure: the files come in as data, without tests.
 */
export function bypassesOf(files: readonly SourceFile[]): Bypass[] {
  const suspects = files.filter(({ text }) => NAMED.test(text));
  return suspects.flatMap((file) => {
    const faults = new Set<string>();
    for (const node of nodesOf(
      parseAst(file.text, { lang: file.path.endsWith('x') ? 'tsx' : 'ts' }, file.path),
    )) {
      if (takesHandler(node) && file.path !== CALLS_HANDLERS && file.path !== WRAPS_HANDLERS)
        faults.add('takes a tool’s handler');
      const name = importedName(node);
      if (name !== undefined && MAY_TAKE.get(name)?.includes(file.path) === false)
        faults.add(`imports ${name}`);
    }
    return [...faults].map((why) => ({ path: file.path, why }));
  });
}

/** `tool.handle`, `tool['handle']`, `const { handle } = tool`. */
function takesHandler(node: Node): boolean {
  if (node['type'] === 'MemberExpression') return isHandle(node['property']);
  if (node['type'] !== 'ObjectPattern') return false;
  return (node['properties'] as readonly Node[]).some((property) => isHandle(property['key']));
}

function isHandle(name: unknown): boolean {
  return isNode(name) && (name['name'] === 'handle' || name['value'] === 'handle');
}

function importedName(node: Node): string | undefined {
  if (node['type'] !== 'ImportSpecifier' && node['type'] !== 'ExportSpecifier') return undefined;
  const name = node[node['type'] === 'ImportSpecifier' ? 'imported' : 'local'];
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : undefined;
}
