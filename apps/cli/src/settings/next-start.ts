import { canonicalJson, type Settings } from '@signalbox/core';

/** What a running house judges by, as it stands in the files; `*` is any one key. All else is read when it opens. */
export const COUNTS_AT_ONCE: readonly string[] = [
  'rules',
  'policy',
  'shell_composition',
  'approval.approval_mode',
  'approval.auto_approve_safe',
  'approval.prompt_on_warning',
  'approval.deny_dangerous',
  'approval.file_writes',
  'sandbox.allowed_paths',
  'sandbox.network.agreed',
  'mcp',
  'agents.tool_execution.enabled',
  'agents.tool_execution.auto_approve_tools',
  'agents.tool_execution.require_approval_tools',
  'tools.max_tool_calls_per_session',
  'tools.file',
  'tools.authorization',
  'tools.policies',
  'providers.*.rate_limit_per_hour',
  // Whether the file names it at all.
  'providers.*.configured',
];

/** The keys whose change counts only when a house opens the next time. */
export function keysOfNextStart(running: Settings, now: Settings): readonly string[] {
  const tools = new Set([running, now].flatMap((settings) => Object.keys(settings.tools.policies)));
  const profile = (settings: Settings, tool: string) =>
    canonicalJson(settings.tools.policies[tool]?.sandbox ?? null);
  return [
    ...differences(running, now, []).map((path) => path.join('.')),
    // Of what settings say of a tool only this is no ruling.
    ...[...tools]
      .filter((tool) => profile(running, tool) !== profile(now, tool))
      .map((tool) => `tools.${tool}.sandbox`),
  ];
}

function differences(
  before: unknown,
  after: unknown,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (COUNTS_AT_ONCE.some((key) => isKey(key.split('.'), path))) return [];
  if (!isSection(before) || !isSection(after)) {
    return canonicalJson(before ?? null) === canonicalJson(after ?? null) ? [] : [path];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], [...path, key]));
}

function isKey(key: readonly string[], path: readonly string[]): boolean {
  return key.length === path.length && key.every((part, at) => part === '*' || part === path[at]);
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
