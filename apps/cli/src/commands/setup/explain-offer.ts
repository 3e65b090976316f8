import { createToolSimilarities, planOffer, schemaComplexity } from '@signalbox/coordinator';
import {
  COMPRESS_CONTEXT,
  type Facts,
  type Mode,
  type ProviderId,
  type Settings,
  silentLogger,
  type Tool,
  type ToolRegistry,
  toToolOffer,
} from '@signalbox/core';
import { offerObstacle } from '@signalbox/policy';
import { declaredTools } from '../../runtime/contract/declared-tools.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { openEmbedder } from '../../runtime/tool-filter/open-embedder.ts';
import {
  complexityView,
  type OfferExplanation,
  offerView,
  tokensOf,
  whyHidden,
  whyOffered,
} from '../../views/offer-view.ts';

/** `signalbox tools --why`: what a provider would be offered in the first turn of a task, and why. */
export async function explainOffer(
  asked: Readonly<{
    settings: Settings;
    tools: ToolRegistry;
    mode: Mode;
    provider: ProviderId | undefined;
    task: string;
  }>,
  context: Context,
): Promise<ExitCode> {
  const offer = await firstOffer(asked, context);
  context.answer({
    json: () => ({
      offered: offer.offered.map((one) => ({
        name: one.tool.name,
        reason: one.reason,
        why: whyOffered(one, offer),
        similarity: one.similarity ?? null,
        tokens: tokensOf(one),
      })),
      hidden: offer.hidden.map((one) => ({ name: one.tool.name, ...one.reason, why: whyHidden(one) })),
      lifted: offer.lifted,
      tokensSaved: offer.tokensSaved,
    }),
    lines: (render) => offerView(offer, render),
  });
  return EXIT.ok;
}

async function firstOffer(
  { settings, tools, mode, provider, task }: Parameters<typeof explainOffer>[0],
  context: Context,
): Promise<OfferExplanation> {
  const chosen = provider === undefined ? undefined : settings.providers[provider];
  const declared =
    provider === undefined || chosen === undefined ? null : declaredTools(provider, chosen, tools);
  const records = await context.entry.openRecords({ workspace: context.directory, env: context.env });
  try {
    const similarities = createToolSimilarities({
      embedder: openEmbedder(settings, { apiKeys: context.env, clock: context.clock })?.embedder ?? null,
      facts: readOnly(records?.facts),
      clock: context.clock,
      logger: silentLogger,
    });
    const caller = callerOf(chosen);
    const plan = await planOffer({
      settings,
      tools: tools.list(),
      obstacleTo: (tool) => offerObstacle(tool, { mode, declared }, settings),
      caller,
      task,
      completed: new Set(),
      kept: new Set(),
      similaritiesOf: (candidates) => similarities.of({ text: task }, candidates),
    });
    const own = caller === 'agent' || plan.offered.length === 0 ? undefined : tools.get(COMPRESS_CONTEXT);
    const offered =
      own === undefined
        ? plan.offered
        : [...plan.offered, { tool: own, definition: toToolOffer(own), reason: 'session' as const }];
    return { ...plan, offered, hasFilter: settings.agent.tool_filter.enabled };
  } finally {
    await records?.close();
  }
}

function callerOf(chosen: Settings['providers'][string] | undefined): 'native' | 'prompt' | 'agent' {
  if (chosen?.api === 'agent') return 'agent';
  return chosen?.native_tools === false ? 'prompt' : 'native';
}

/** Explaining stores nothing. */
function readOnly(facts: Facts | undefined): Facts {
  return {
    get: async (key) => facts?.get(key),
    set: async () => undefined,
    compareAndSet: async () => true,
  };
}

/** `signalbox tools --complexity`: how complex the arguments of tools are, and which get a field for thoughts. */
export function explainComplexity(
  { tools, settings }: Readonly<{ tools: readonly Tool[]; settings: Settings }>,
  context: Context,
): ExitCode {
  const { complexity_threshold: threshold } = settings.tools.tafc;
  const scored = tools
    .map((tool) => {
      const complexity = schemaComplexity(toToolOffer(tool).inputSchema);
      return { name: tool.name, complexity, isComplex: complexity.score >= threshold };
    })
    .toSorted((a, b) => b.complexity.score - a.complexity.score || (a.name < b.name ? -1 : 1));
  context.answer({
    json: () => ({
      threshold,
      tools: scored.map(({ complexity, ...tool }) => ({ ...tool, ...complexity })),
    }),
    lines: (render) => complexityView(scored, render),
  });
  return EXIT.ok;
}
