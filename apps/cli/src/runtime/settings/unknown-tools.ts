import {
  canonicalToolName,
  getIn,
  matchesTool,
  nearestWord,
  type SettingsProblem,
  type SettingsPath,
  TOOL_SECTIONS,
} from '@signalbox/core';
import type { SettingsSource } from './settings-source.ts';

type Named = { readonly path: SettingsPath; readonly name: string };
type FoundProblem = SettingsProblem & { readonly source: string };

/** Specified tools that are not implemented yet: naming one is not a mistake. */
const TO_COME: readonly string[] = [
  'compress_context',
  'execute_code',
  'fetch_url',
  'graph_query',
  'invoke_skill',
  'load_skill',
  'memory_save',
  'memory_search',
  'schedule_deferred',
  'scheduler',
  'web_search',
];

const LISTS: readonly SettingsPath[] = [
  ['agents', 'tool_execution', 'auto_approve_tools'],
  ['agents', 'tool_execution', 'require_approval_tools'],
  ['agent', 'tool_filter', 'always_on'],
  ['agent', 'tool_filter', 'never_left_out'],
];

const DEPENDENCIES: SettingsPath = ['tools', 'dependencies', 'rules'];

const RULE_LISTS: readonly SettingsPath[] = [['rules'], ['tools', 'authorization', 'rules']];

/**
 * Names in tool lists and tool policies that match no tool: a misspelt name would be a missing rule. Tools of MCP
 * servers are known only while those run, so only the server part of their names is checked.
 */
export async function unknownTools(
  sources: readonly SettingsSource[],
  servers: readonly string[],
): Promise<readonly FoundProblem[]> {
  const named = sources.flatMap((source) =>
    namedBy(source.value).map((one) => ({ ...one, source: source.name })),
  );
  if (named.length === 0) return [];
  const { catalogue } = await import('@signalbox/tools');
  const own = catalogue().flatMap(({ name, aliases }) => [name, ...aliases.map(canonicalToolName)]);
  const known = [...new Set([...own, ...TO_COME])];
  return named.flatMap(({ path, name, source }) => {
    const pattern = canonicalToolName(name);
    if (pattern.startsWith('mcp__')) return misspeltServer(pattern, servers, { path, source });
    if (known.some((tool) => matchesTool(pattern, tool))) return [];
    const meant = nearestWord(pattern.replace(/\*$/, ''), known);
    const message = `names "${name}", which is not a tool`;
    return [{ path, message, source, ...(meant === undefined ? {} : { didYouMean: meant }) }];
  });
}

/**
 * A server of another project may be named here on purpose, so only a name close to one of these is a mistake:
 * `mcp__githb__create_issue`.
 */
function misspeltServer(
  pattern: string,
  servers: readonly string[],
  at: Pick<FoundProblem, 'path' | 'source'>,
): readonly FoundProblem[] {
  const [, server = '', rest = ''] = /^mcp__(.+?)(__.*)$/s.exec(pattern) ?? [];
  if (servers.some((name) => pattern.startsWith(`mcp__${name}__`))) return [];
  const near = nearestWord(server, servers);
  if (near === undefined) return [];
  const message = `names a tool of the MCP server "${server}", which does not exist`;
  return [{ ...at, message, didYouMean: `mcp__${near}${rest}` }];
}

function namedBy(value: unknown): readonly Named[] {
  const rules = RULE_LISTS.flatMap((list) =>
    listAt(value, list).flatMap((rule, at): readonly Named[] => [
      ...textsAt(rule, ['tools']).map((one) => below(one, ...list, at)),
      ...['allow', 'ask', 'deny'].flatMap((ruling) => {
        const name = getIn(rule, [ruling, 'tool']);
        return typeof name === 'string' ? [{ path: [...list, at, ruling, 'tool'], name }] : [];
      }),
    ]),
  );
  const policies = keysAt(value, ['tools']).filter((key) => !TOOL_SECTIONS.includes(key));
  // A misspelt requirement would hide its tool for ever.
  const dependencies = keysAt(value, DEPENDENCIES).flatMap((name) => [
    { path: [...DEPENDENCIES, name], name },
    ...['requires', 'prefers'].flatMap((list) => textsAt(value, [...DEPENDENCIES, name, list])),
  ]);
  return [
    ...policies.map((name) => ({ path: ['tools', name], name })),
    ...LISTS.flatMap((path) => textsAt(value, path)),
    ...dependencies,
    ...rules,
  ];
}

function below({ path, name }: Named, ...above: SettingsPath): Named {
  return { path: [...above, ...path], name };
}

function textsAt(value: unknown, path: SettingsPath): readonly Named[] {
  return listAt(value, path).flatMap((name, at) =>
    typeof name === 'string' ? [{ path: [...path, at], name }] : [],
  );
}

function listAt(value: unknown, path: SettingsPath): readonly unknown[] {
  const list = getIn(value, path);
  return Array.isArray(list) ? list : [];
}

function keysAt(value: unknown, path: SettingsPath): readonly string[] {
  const section = getIn(value, path);
  return typeof section === 'object' && section !== null && !Array.isArray(section)
    ? Object.keys(section)
    : [];
}
