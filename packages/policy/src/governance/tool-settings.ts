import {
  canonicalToolName,
  DEFAULT_TOOL_POLICY,
  GOES_BY,
  matchesTool,
  type Settings,
  type Tool,
  type ToolPolicy,
} from '@signalbox/core';

/** Identity of a tool; its handler and arguments don't matter here. */
export type NamedTool = Pick<Tool, 'name' | 'aliases'>;

/** Settings of a tool, by its name, one of its aliases, or the tool that it inherits from. */
export function toolPolicyOf(tool: NamedTool, settings: Settings): ToolPolicy {
  const name = toolPolicyName(tool, settings);
  return (name === null ? undefined : settings.tools.policies[name]) ?? DEFAULT_TOOL_POLICY;
}

/** The name under which settings mention a tool; null when they don't. */
export function toolPolicyName(tool: NamedTool, settings: Settings): string | null {
  const named = namesOf(tool).find((name) => Object.hasOwn(settings.tools.policies, name));
  if (named !== undefined) return named;
  const other = GOES_BY[tool.name];
  return other === undefined ? null : toolPolicyName({ name: other, aliases: [] }, settings);
}

export type ToolListing = 'auto' | 'asks' | 'none';

/**
 * The list that contains a tool (E5). In both: the list that runs it wins, since a person wrote it beside the other.
 */
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

const namesByTool = new WeakMap<NamedTool, readonly string[]>();

function namesOf(tool: NamedTool): readonly string[] {
  const known = namesByTool.get(tool);
  if (known !== undefined) return known;
  const names = [...new Set([tool.name, ...tool.aliases.map(canonicalToolName)])];
  namesByTool.set(tool, names);
  return names;
}
