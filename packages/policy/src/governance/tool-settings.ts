import {
  canonicalToolName,
  DEFAULT_TOOL_POLICY,
  GOES_BY,
  matchesTool,
  type Settings,
  type Tool,
  type ToolPolicy,
} from '@signalbox/core';

/** What is asked of a tool's identity; its handler and arguments don't matter here. */
export type NamedTool = Pick<Tool, 'name' | 'aliases'>;

/** What settings say of a tool, by its name, one of its aliases, or the tool that it goes by. */
export function toolPolicyOf(tool: NamedTool, settings: Settings): ToolPolicy {
  const name = toolPolicyName(tool, settings);
  return (name === null ? undefined : settings.tools.policies[name]) ?? DEFAULT_TOOL_POLICY;
}

/** Under which name settings speak of a tool; null where they don't. */
export function toolPolicyName(tool: NamedTool, settings: Settings): string | null {
  const said = namesOf(tool).find((name) => Object.hasOwn(settings.tools.policies, name));
  if (said !== undefined) return said;
  const other = GOES_BY[tool.name];
  return other === undefined ? null : toolPolicyName({ name: other, aliases: [] }, settings);
}

export type ToolListing = 'auto' | 'asks' | 'none';

/** In which list a tool stands (E5). In both: the list that runs it wins, since somebody wrote it beside the other. */
export function listingOf(tool: NamedTool, settings: Settings): ToolListing {
  const { auto_approve_tools, require_approval_tools } = settings.agents.tool_execution;
  const names = namesOf(tool);
  if (isListed(auto_approve_tools, names)) return 'auto';
  if (isListed(require_approval_tools ?? [], names)) return 'asks';
  const other = GOES_BY[tool.name];
  return other === undefined ? 'none' : listingOf({ name: other, aliases: [] }, settings);
}

function isListed(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matchesTool(pattern, name)));
}

function namesOf(tool: NamedTool): readonly string[] {
  return [...new Set([tool.name, ...tool.aliases.map(canonicalToolName)])];
}
