import type { Mode, Settings, Tool, ToolRegistry } from '@signalbox/core';

/** What a model may call: what its settings declare, only tools of the mode, none when the loop is switched off. */
export function offeredTools(
  declared: readonly string[] | null,
  { settings, tools, mode }: { settings: Settings; tools: ToolRegistry; mode: Mode },
): readonly Tool[] {
  if (!settings.agents.tool_execution.enabled) return [];
  return tools.list(mode).filter(({ name }) => declared === null || declared.includes(name));
}
