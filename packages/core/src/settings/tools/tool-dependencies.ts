import { canonicalToolName, GOES_BY, matchesTool } from './canonical-tool-name.ts';

/** What a tool needs before it is offered, and what makes it more likely to fit (S001-86). */
export type ToolDependency = {
  /** Each must have succeeded in the session; a name, or a prefix with a star. */
  readonly requires: readonly string[];
  readonly prefers: readonly string[];
};

export type ToolDependencies = {
  /** By the name of a registered tool. */
  of(tool: string): ToolDependency;
  /** Tools that require each other, directly or through others: their `requires` are void (S001-88). */
  readonly cycles: readonly (readonly string[])[];
};

const NOTHING: ToolDependency = { requires: [], prefers: [] };

/** Finds the cycles of `tools.dependencies.rules`, which would hide their tools for ever. */
export function toolDependencies(rules: Readonly<Record<string, ToolDependency>>): ToolDependencies {
  const byTool = new Map(Object.entries(rules).map(([name, rule]) => [canonicalToolName(name), rule]));
  const reached = new Map([...byTool.keys()].map((tool) => [tool, reachedFrom(tool, byTool)]));
  const cyclic = [...byTool.keys()].filter((tool) => reached.get(tool)?.has(tool) === true);
  const cycles = new Map<string, readonly string[]>();
  for (const tool of cyclic.toSorted()) {
    const members = cyclic.filter(
      (other) => reached.get(tool)?.has(other) === true && reached.get(other)?.has(tool) === true,
    );
    cycles.set(members.toSorted().join(' '), members.toSorted());
  }
  for (const tool of cyclic) byTool.set(tool, { ...(byTool.get(tool) ?? NOTHING), requires: [] });
  return {
    of: (tool) => byTool.get(tool) ?? byTool.get(GOES_BY[tool] ?? tool) ?? NOTHING,
    cycles: [...cycles.values()],
  };
}

/** Every tool that must come before this one. */
function reachedFrom(start: string, rules: ReadonlyMap<string, ToolDependency>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let tool = waiting.pop(); tool !== undefined; tool = waiting.pop()) {
    for (const required of rules.get(tool)?.requires ?? []) {
      const names = required.endsWith('*')
        ? [...rules.keys()].filter((name) => matchesTool(required, name))
        : [required];
      for (const name of names) {
        if (reached.has(name)) continue;
        reached.add(name);
        waiting.push(name);
      }
    }
  }
  return reached;
}
