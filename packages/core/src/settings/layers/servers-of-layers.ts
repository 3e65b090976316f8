import { canonicalJson } from '../../json.ts';
import type { Note } from './clamp-settings.ts';
import { type McpServerSettings, McpServers } from '../tools/mcp-server.ts';
import type { SettingsLayer } from './settings-layer.ts';
import { getIn } from '../keys/settings-path.ts';

/** Whether a person of this workspace has seen that server of a shared file, in its present form, and lets it start. */
export type IsServerTrusted = (name: string, server: McpServerSettings) => boolean;

/**
 * The MCP servers of all files. Each is taken as a whole from one file, yours before a shared one: a mix of yours and a
 * repository's would be a program that nobody wrote.
 *
 * A server of a shared file is third-party code: it starts after a local user agreed to it.
 */
export function serversOfLayers(
  layers: readonly SettingsLayer[],
  isAgreed: IsServerTrusted,
): { readonly servers: McpServers; readonly notes: readonly (Note & { source?: string })[] } {
  const notes: (Note & { source?: string })[] = [];
  const servers: Record<string, McpServerSettings> = {};
  for (const { kind, source, value } of layers.toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind])) {
    // A layer that does not parse has been refused before.
    const written = McpServers.safeParse(getIn(value, ['mcp_servers']) ?? {}).data ?? {};
    for (const [name, server] of Object.entries(written)) {
      const path = ['mcp_servers', name];
      const placed = { ...server, layer: kind, source };
      const before = servers[name];
      if (before?.layer === 'workspace')
        notes.push({
          path,
          source: before.source,
          message: `server "${name}" of ${before.source} is ignored: ${source} defines one too`,
        });
      const agreed = kind !== 'workspace' || isAgreed(name, placed);
      servers[name] = { ...placed, isAgreed: agreed };
    }
  }
  for (const [name, { isAgreed: agreed, enabled, source }] of Object.entries(servers)) {
    if (!agreed && enabled)
      notes.push({ path: ['mcp_servers', name], source, message: UNAGREED(name, source) });
  }
  return { servers, notes };
}

/** What a person agrees to: every word of it, but not its position. */
export function wordsOfServer({
  enabled,
  reach,
  timeoutMs,
  startTimeoutMs,
  words,
  trustAnnotations,
  tools,
}: McpServerSettings): string {
  return canonicalJson({ enabled, reach, timeoutMs, startTimeoutMs, words, trustAnnotations, tools });
}

const ORDER = { workspace: 0, user: 1, local: 2 } as const;

const UNAGREED = (name: string, source: string): string =>
  `server "${name}" does not start: ${source} came with the repository and is not trusted here. See: signalbox tools trust ${name}`;
