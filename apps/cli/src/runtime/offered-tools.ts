import type { Mode, Settings, Tool, ToolRegistry } from '@signalbox/core';
import { isOffered } from '@signalbox/policy';

/** What a provider would be offered in a mode, where no coordinator runs. */
export function offeredTools(
  declared: readonly string[] | null,
  { settings, tools, mode }: { settings: Settings; tools: ToolRegistry; mode: Mode },
): readonly Tool[] {
  return tools.list().filter((tool) => isOffered(tool, { mode, declared }, settings));
}
