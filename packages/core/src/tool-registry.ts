import { UsageError } from './errors.ts';
import type { Mode } from './mode.ts';
import type { Tool, ToolCategory } from './tool.ts';

/** The tools of a workspace: registered at the start, and nothing else can be called (A4, S004-31). */
export type ToolRegistry = {
  /** By its name or one of its aliases. */
  get(name: string): Tool | undefined;
  /** Without those for people alone. Sorted by name, so that what a model is offered keeps its bytes; only those allowed in the mode, if one is given. */
  list(mode?: Mode): readonly Tool[];
  inCategory(category: ToolCategory): readonly Tool[];
  /**
   * Only the named ones, for a session that declares its tools (A6).
   *
   * @throws {UsageError} `unknown-tool` when one is not registered.
   */
  pick(names: readonly string[]): ToolRegistry;
};

/** @throws {UsageError} `duplicate-tool` when two tools share a name or an alias. */
// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds tools of every kind of arguments; each parses its own
export function createToolRegistry(tools: readonly Tool<any>[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.name, ...tool.aliases]) {
      if (byName.has(name))
        throw new UsageError('duplicate-tool', `Cannot register tool "${name}": the name is taken`);
      byName.set(name, tool as Tool);
    }
  }
  const sorted = (tools as readonly Tool[])
    .filter(({ audience }) => audience === 'everybody')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    get: (name) => byName.get(name),
    list: (mode) => (mode === undefined ? sorted : sorted.filter((tool) => tool.allowedModes.includes(mode))),
    inCategory: (category) => sorted.filter((tool) => tool.category === category),
    pick(names) {
      return createToolRegistry(
        names.map((name) => {
          const tool = byName.get(name);
          if (tool === undefined) {
            throw new UsageError('unknown-tool', `Cannot offer tool "${name}": it is not registered`, {
              next: [`one of: ${sorted.map(({ name: known }) => known).join(', ')}`],
            });
          }
          return tool;
        }),
      );
    },
  };
}

/**
 * The same with tools that come and go, such as those of other servers: what `current` answers counts at once. A
 * registered name stays what it is, whoever else takes it.
 */
export function withComingTools(registry: ToolRegistry, current: () => readonly Tool[]): ToolRegistry {
  const byName = (a: Tool, b: Tool): number => (a.name < b.name ? -1 : 1);
  const coming = (): readonly Tool[] => current().filter(({ name }) => registry.get(name) === undefined);
  return {
    get: (name) => registry.get(name) ?? coming().find((tool) => tool.name === name),
    list: (mode) =>
      [
        ...registry.list(mode),
        ...coming().filter(({ allowedModes }) => mode === undefined || allowedModes.includes(mode)),
      ].toSorted(byName),
    inCategory: (category) =>
      [...registry.inCategory(category), ...coming().filter((tool) => tool.category === category)].toSorted(
        byName,
      ),
    pick: (names) => createToolRegistry([...registry.list(), ...coming()]).pick(names),
  };
}
