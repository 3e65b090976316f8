import { commandMachine } from './command.machine.ts';

type Node = (typeof commandMachine.states)[keyof typeof commandMachine.states];

/** Faults, restarts and other coordinators lead to an end from nearly everywhere: the diagram omits them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'runner.failed',
  'execution.failed',
  'command.orphaned',
  'command.taken',
]);

/** The command machine as a Mermaid diagram, which is part of docs/internals/commands.md; a test compares the two. */
export function commandDiagram(): string {
  const states = Object.values<Node>(commandMachine.states);
  const lines = ['stateDiagram-v2', '  [*] --> submitted'];
  for (const state of states) {
    const below = Object.values<Node>(state.states);
    if (below.length === 0) continue;
    lines.push(`  state ${state.key} {`, ...below.map((node) => `    ${nameOf(node)}: ${node.key}`), '  }');
  }
  for (const state of states) {
    for (const node of [state, ...Object.values<Node>(state.states)]) lines.push(...arrowsOf(node));
  }
  return [...lines, '  done --> [*]'].join('\n');
}

/** The page with the current diagram. */
export function withCommandDiagram(page: string): string {
  return page.replace(
    /```mermaid\nstateDiagram-v2[^`]*```/,
    () => `\`\`\`mermaid\n${commandDiagram()}\n\`\`\``,
  );
}

function arrowsOf(node: Node): string[] {
  const events = new Map<string, Set<string>>();
  for (const [event, transitions] of node.transitions) {
    for (const { target = [] } of LEFT_OUT.has(event) ? [] : transitions) {
      for (const to of target) events.set(nameOf(to), (events.get(nameOf(to)) ?? new Set()).add(event));
    }
  }
  return [...events].map(([to, by]) => `  ${nameOf(node)} --> ${to}: ${[...by].join(', ')}`);
}

/** Mermaid allows no dot in a name. */
function nameOf({ path }: Pick<Node, 'path'>): string {
  return path.join('_');
}
