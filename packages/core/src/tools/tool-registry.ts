import { UsageError } from '../errors/errors.ts';
import type { Mode } from '../mode.ts';
import type { Tool, ToolCategory } from './tool.ts';

/** The tools of a workspace: registered at the start, and nothing else can be called (A4, S004-31). */
export type ToolRegistry = {
  /** By its name or one of its aliases. */
  get(name: string): Tool | undefined;
  /**
   * Without those for people or sessions alone. Sorted by name, so that the offer to a model keeps its bytes; only those allowed in
   * the mode, if one is given.
   */
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
        throw new UsageError(
          'duplicate-tool',
          `Cannot register tool "${name}": a tool with this name exists`,
        );
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

/** Tools that are added and removed, such as those of other servers. */
export type PendingTools = {
  /** The tools offered now. */
  list(): readonly Tool[];
  /** May know more names than it offers, for tools that explain why they are unavailable. */
  get(name: string): Tool | undefined;
};

/** The same with dynamic tools. A registered name keeps its tool, whoever else uses it. */
export function withComingTools(registry: ToolRegistry, coming: PendingTools): ToolRegistry {
  const others = (): readonly Tool[] => coming.list().filter(({ name }) => registry.get(name) === undefined);
  const together = (fixed: readonly Tool[], fits: (tool: Tool) => boolean): readonly Tool[] =>
    [...fixed, ...others().filter(fits)].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    get: (name) => registry.get(name) ?? coming.get(name),
    list: (mode) =>
      together(registry.list(mode), ({ allowedModes }) => mode === undefined || allowedModes.includes(mode)),
    inCategory: (category) => together(registry.inCategory(category), (tool) => tool.category === category),
    pick: (names) => createToolRegistry([...registry.list(), ...others()]).pick(names),
  };
}
