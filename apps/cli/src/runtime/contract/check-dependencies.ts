import {
  canonicalToolName,
  nearestWord,
  type Settings,
  type ToolRegistry,
  UsageError,
} from '@signalbox/core';

/** Tools of MCP servers are known only later. */
const OF_SERVERS = /^mcp_/;

/**
 * @throws {UsageError} `unknown-tool` for a name in `tools.dependencies.rules` that no tool has: what requires it would
 * stay hidden
 */
export function checkDependencies({ tools: { dependencies } }: Settings, tools: ToolRegistry): void {
  if (!dependencies.enabled) return;
  for (const [tool, { requires, prefers }] of Object.entries(dependencies.rules)) {
    const named = [canonicalToolName(tool), ...requires, ...prefers].filter((name) => !name.endsWith('*'));
    const strange = named.find((name) => !OF_SERVERS.test(name) && tools.get(name) === undefined);
    if (strange === undefined) continue;
    const meant = nearestWord(
      strange,
      tools.list().map(({ name }) => name),
    );
    throw new UsageError(
      'unknown-tool',
      `Cannot read tools.dependencies.rules.${tool}: no tool is called "${strange}"`,
      {
        next: [...(meant === undefined ? [] : [`did you mean: ${meant}`]), 'signalbox tools'],
      },
    );
  }
}
