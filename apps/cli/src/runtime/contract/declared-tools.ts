import { matchesTool, type ProviderSettings, type ToolRegistry, UsageError } from '@signalbox/core';

/**
 * Names of the tools that a provider's settings allow; null: all.
 *
 * @throws {UsageError} `unknown-tool` for an entry that matches no tool, which would otherwise go missing silently
 * (X-21)
 */
export function declaredTools(
  id: string,
  { tools: patterns }: ProviderSettings,
  tools: ToolRegistry,
): string[] | null {
  if (patterns === null) return null;
  const names = tools.list().map(({ name }) => name);
  const strange = patterns.find((pattern) => !names.some((name) => matchesTool(pattern, name)));
  if (strange !== undefined) {
    throw new UsageError('unknown-tool', `Cannot start provider "${id}": no tool is called "${strange}"`, {
      why: [`its settings list it under tools; there are ${names.join(', ')}`],
      next: ['signalbox tools', 'signalbox config list --origin'],
    });
  }
  // A list must not cut off the way to tools of it that the filter leaves out.
  const searches = new Set(
    tools.list().flatMap(({ name, offered }) => (offered === 'filtered' ? [name] : [])),
  );
  return names.filter((name) => searches.has(name) || patterns.some((pattern) => matchesTool(pattern, name)));
}
