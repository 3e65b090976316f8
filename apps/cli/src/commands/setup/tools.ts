import {
  COMPRESS_CONTEXT,
  createToolRegistry,
  Mode,
  nearestWord,
  type ProviderId,
  type Settings,
  type Tool,
  ToolCategory,
  type ToolRegistry,
  toOutputSchema,
  toToolOffer,
  UsageError,
  withComingTools,
} from '@signalbox/core';
import { isOffered } from '@signalbox/policy';
import { catalogue } from '@signalbox/tools';
import * as z from 'zod';
import { declaredTools } from '../../runtime/contract/declared-tools.ts';
import { cutEnd } from '../../terminal/cells.ts';
import { as, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { ProviderArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { quiet } from '../../live/keep-showing.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { type KnownServer, knownServers } from '../agents/known-servers.ts';
import { reachInWords, rightsInWords } from '../agents/server-words.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { toolsView, toolView } from '../../views/tools-view.ts';

/** `signalbox tools`: what providers may call; with a name its arguments too; `trust` for servers of the repository. */
export const tools = defineSubcommand({
  name: 'tools',
  args: z.object({
    name: z.string().optional(),
    server: z.string().optional(),
    provider: ProviderArgument.optional(),
    mode: z.string().toUpperCase().pipe(Mode).optional(),
    category: z.string().pipe(ToolCategory).optional(),
    why: z.boolean().default(false),
    task: z.string().optional(),
    complexity: z.boolean().default(false),
    yes: z.boolean().default(false),
  }),
  async run({ name, server, provider, mode, category, yes, why, task, complexity }, context) {
    if (name === 'trust') {
      const { trustServers } = await import('../agents/trust-servers.ts');
      return trustServers({ server, isAgreed: yes }, context);
    }
    const { settings } = await loadSettings(context);
    const servers = await knownServers(settings, context);
    const theirs = servers.flatMap((one) => one.tools);
    const registry = withComingTools(createToolRegistry(catalogue()), {
      list: () => theirs,
      get: (wanted) => theirs.find((tool) => tool.name === wanted),
    });
    if (why || task !== undefined) {
      if (provider !== undefined) requireProvider(provider, settings);
      const { explainOffer } = await import('./explain-offer.ts');
      const asked = { settings, tools: registry, mode: mode ?? (await modeNow(context)) };
      return explainOffer({ ...asked, provider, task: task ?? '' }, context);
    }
    if (name === undefined) {
      const all =
        provider === undefined
          ? offeredIn(mode, { settings, tools: registry })
          : offeredTo(provider, { settings, tools: registry, mode: mode ?? (await modeNow(context)) });
      if (complexity) {
        const { explainComplexity } = await import('./explain-offer.ts');
        return explainComplexity({ tools: all, settings }, context);
      }
      const isAgent = provider !== undefined && settings.providers[provider]?.api === 'agent';
      const listed = (isAgent ? all : withSessionTool(all, registry)).filter(
        (tool) => category === undefined || tool.category === category,
      );
      context.answer({
        json: () => ({
          tools: listed.map((tool) => toData(tool, servers)),
          servers: servers.map(toServerData),
        }),
        lines: (render) => [
          ...toolsView(listed, render),
          ...(provider === undefined && category === undefined ? serversView(servers, render) : []),
        ],
      });
      return EXIT.ok;
    }
    const tool = registry.get(name);
    if (tool === undefined) {
      const meant = nearestWord(
        name,
        registry.list().map((one) => one.name),
      );
      throw new UsageError('unknown-tool', `Cannot find tool "${name}"`, {
        next: [...(meant === undefined ? [] : [`did you mean: signalbox tools ${meant}`]), 'signalbox tools'],
      });
    }
    context.answer({ json: () => toData(tool, servers), lines: (render) => toolView(tool, render) });
    return EXIT.ok;
  },
});

/** All of them, or those that a mode and the settings allow. */
function offeredIn(
  mode: Mode | undefined,
  { settings, tools: registry }: Readonly<{ settings: Settings; tools: ToolRegistry }>,
): readonly Tool[] {
  const all = registry.list();
  if (mode === undefined) return all;
  const names = all.map(({ name }) => name);
  return offeredTools(names, { settings, tools: registry, mode });
}

/** @throws {UsageError} `unknown-provider` */
function offeredTo(
  id: ProviderId,
  circumstances: Readonly<{ settings: Settings; tools: ToolRegistry; mode: Mode }>,
): readonly Tool[] {
  const chosen = requireProvider(id, circumstances.settings);
  return offeredTools(declaredTools(id, chosen, circumstances.tools), circumstances);
}

/** @throws {UsageError} `unknown-provider` */
function requireProvider(id: ProviderId, { providers }: Settings): Settings['providers'][string] {
  const chosen = providers[id];
  if (chosen !== undefined) return chosen;
  const ids = Object.keys(providers);
  const meant = nearestWord(id, ids);
  throw new UsageError('unknown-provider', `Cannot find provider "${id}"`, {
    why: [`the settings have ${ids.join(', ')}`],
    next: [
      ...(meant === undefined ? [] : [`signalbox tools --provider ${meant}`]),
      'signalbox config get providers',
    ],
  });
}

async function modeNow(context: Context): Promise<Mode> {
  return (await withReader(quiet(context), (reader) => reader.mode())).mode;
}

function toData(tool: Tool, servers: readonly KnownServer[]): unknown {
  const {
    name,
    aliases,
    description,
    kind,
    category,
    risk,
    policy,
    allowedModes,
    requiresSandbox,
    timeoutMs,
  } = tool;
  const { inputSchema } = toToolOffer(tool);
  return {
    name,
    aliases,
    description,
    kind,
    category,
    risk,
    policy,
    modes: allowedModes,
    requiresSandbox,
    timeoutMs,
    inputSchema,
    outputSchema: toOutputSchema(tool),
    server: servers.find((one) => one.tools.includes(tool))?.name ?? null,
    changed: tool.isChanged ?? false,
  };
}

function toServerData({ name, settings, state, tools: listed, leftOut }: KnownServer): unknown {
  return {
    name,
    reach: reachInWords(settings),
    rights: rightsInWords(settings),
    source: settings.source,
    agreed: settings.isAgreed,
    state,
    tools: listed.map((tool) => tool.name),
    leftOut,
  };
}

/** MCP servers with their rights and states; empty if there are none. */
function serversView(servers: readonly KnownServer[], render: Pick<RenderContext, 'width'>): readonly Line[] {
  return servers.flatMap((server) => serverLines(server, render.width));
}

function serverLines(
  { name, settings, state, tools: listed, leftOut }: KnownServer,
  width: number,
): readonly Line[] {
  const changed = listed.filter(({ isChanged }) => isChanged === true).map((tool) => tool.name);
  const detail = (role: TextRole, text: string): Line => line('  ', as(role, cutEnd(text, width - 2)));
  return [
    line(),
    line(
      as('bold', `mcp ${name}`),
      '  ',
      as(state === 'ready' ? 'ok' : 'warn', state),
      muted(`  ${listed.length} ${listed.length === 1 ? 'tool' : 'tools'}`),
    ),
    detail('muted', reachInWords(settings)),
    detail(
      settings.reach.kind === 'stdio' && !settings.reach.sandbox ? 'warn' : 'muted',
      rightsInWords(settings),
    ),
    ...(settings.isAgreed ? [] : [detail('accent', `signalbox tools trust ${name}`)]),
    ...changed.map((tool) =>
      detail('warn', `${tool} changed since it was approved: its next call needs approval`),
    ),
    ...leftOut.map((tool) => detail('warn', `left out ${tool}`)),
  ];
}

/** With the tool that each session offers to its model, and that no agent may call. */
function withSessionTool(listed: readonly Tool[], registry: ToolRegistry): readonly Tool[] {
  const own = listed.length === 0 ? undefined : registry.get(COMPRESS_CONTEXT);
  return own === undefined ? listed : [...listed, own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tools a provider would get in a mode, when no coordinator runs. */
function offeredTools(
  declared: readonly string[] | null,
  { settings, tools: registry, mode }: { settings: Settings; tools: ToolRegistry; mode: Mode },
): readonly Tool[] {
  return registry.list().filter((tool) => isOffered(tool, { mode, declared }, settings));
}
