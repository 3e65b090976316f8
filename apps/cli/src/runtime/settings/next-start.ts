import { canonicalJson, type Settings } from '@signalbox/core';

/**
 * Settings that a running coordinator applies from the files; `*` is any key. Everything else is read when it opens.
 */
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
  'filters',
  'agents.tool_execution.enabled',
  'agents.tool_execution.auto_approve_tools',
  'agents.tool_execution.require_approval_tools',
  'tools.max_tool_calls_per_session',
  'tools.file',
  'tools.authorization',
  'tools.adversarial_policy',
  'tools.policies',
  'providers.*.rate_limit_per_hour',
  // Whether the file names it at all.
  'providers.*.configured',
];

/** Settings that a session reads when it begins. A provider's `sandbox` is read when a coordinator opens. */
export const COUNTS_FOR_NEXT_SESSION: readonly string[] = [
  'budget',
  'agents.tool_execution.max_iterations',
  'agents.tool_execution.critical_tools',
  'agents.tool_execution.on_critical_failure',
  'agent.compress_at',
  'agent.compress_provider',
  'tools.retry',
  'providers.*',
];

/** The keys whose change applies when a coordinator opens next. */
export function keysOfNextStart(running: Settings, now: Settings): readonly string[] {
  return [
    ...differences(running, now, { leftOut: [...COUNTS_AT_ONCE, ...COUNTS_FOR_NEXT_SESSION] }),
    // Of a tool's or a provider's settings only this needs a restart.
    ...changedProfiles('tools', running.tools.policies, now.tools.policies),
    ...changedProfiles('providers', running.providers, now.providers),
  ];
}

/** The keys whose change applies to new sessions. */
export function keysOfNextSession(running: Settings, now: Settings): readonly string[] {
  const known = new Set(keysOfNextStart(running, now));
  return differences(running, now, { leftOut: COUNTS_AT_ONCE }).filter(
    (key) =>
      !known.has(key) && !/^providers\.[^.]+\.sandbox\b/.test(key) && !isOfUnconfirmed(key, now.providers),
  );
}

/** An unused provider applies to no session. */
function isOfUnconfirmed(key: string, providers: Settings['providers']): boolean {
  const [section, id = ''] = key.split('.');
  return section === 'providers' && (providers[id]?.unconfirmed_in ?? null) !== null;
}

type Profiled = Readonly<Record<string, Readonly<{ sandbox?: unknown }>>>;

function changedProfiles(section: string, before: Profiled, after: Profiled): readonly string[] {
  const profile = (all: Profiled, id: string): string => canonicalJson(all[id]?.sandbox ?? null);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((id) => profile(before, id) !== profile(after, id))
    .map((id) => `${section}.${id}.sandbox`);
}

function differences(
  before: unknown,
  after: unknown,
  { leftOut, path = [] }: Readonly<{ leftOut: readonly string[]; path?: readonly string[] }>,
): readonly string[] {
  if (leftOut.some((key) => isKey(key.split('.'), path))) return [];
  if (!isSection(before) || !isSection(after)) {
    return canonicalJson(before ?? null) === canonicalJson(after ?? null) ? [] : [path.join('.')];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], { leftOut, path: [...path, key] }));
}

function isKey(key: readonly string[], path: readonly string[]): boolean {
  return key.length === path.length && key.every((part, at) => part === '*' || part === path[at]);
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
