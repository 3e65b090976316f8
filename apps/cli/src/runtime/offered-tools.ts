import type { Mode, Settings, Tool, ToolRegistry } from '@signalbox/core';
import { isOffered } from '@signalbox/policy';

/** The tools a provider would get in a mode, when no coordinator runs. */
export function offeredTools(
  declared: readonly string[] | null,
  { settings, tools, mode }: { settings: Settings; tools: ToolRegistry; mode: Mode },
): readonly Tool[] {
  return tools.list().filter((tool) => isOffered(tool, { mode, declared }, settings));
}
