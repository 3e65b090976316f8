import type { OpenedEmbedder } from '@signalbox/coordinator';
import {
  type Clock,
  type Embedder,
  ProviderId,
  type ProviderSettings,
  type Settings,
  UsageError,
} from '@signalbox/core';
import { keyOf, pricesOf } from '../settings/key-and-prices.ts';
import { requireConfirmed } from '../settings/require-confirmed.ts';

/**
 * The embeddings that rank tools; null: tools are ranked by words. Sends no request yet, and loads the SDK with the
 * first one. A missing key fails that request, not the start.
 *
 * @throws {UsageError} `unknown-provider` when the settings name no provider with embeddings
 */
export function openEmbedder(
  { agent: { tool_filter }, providers }: Settings,
  parts: Readonly<{ apiKeys: Readonly<Record<string, string | undefined>>; clock: Clock }>,
): OpenedEmbedder | null {
  const { enabled, embed_provider: id, embed_model: model } = tool_filter;
  if (!enabled || id === '') return null;
  const chosen = embeddingProvider(id, providers);
  let opened: Promise<Embedder> | undefined;
  async function open(): Promise<Embedder> {
    requireConfirmed(id, chosen);
    const { createOpenAIEmbedder } = await import('@signalbox/providers');
    const apiKey = keyOf(id, chosen, parts.apiKeys);
    return createOpenAIEmbedder({ id, model, apiKey, baseUrl: chosen.base_url, clock: parts.clock });
  }
  const embedder: Embedder = {
    id: `${chosen.base_url} ${model}`,
    async embed(texts, options) {
      const found = await (opened ??= open());
      return found.embed(texts, options);
    },
  };
  return { id: ProviderId.parse(id), model, prices: pricesOf(chosen), embedder };
}

function embeddingProvider(id: string, providers: Settings['providers']): ProviderSettings {
  const chosen = providers[id];
  if (chosen?.api === 'openai-chat') return chosen;
  const fitting = Object.entries(providers).flatMap(([name, { api }]) =>
    api === 'openai-chat' ? [name] : [],
  );
  throw new UsageError('unknown-provider', `Cannot rank tools with the embeddings of provider "${id}"`, {
    why: [chosen === undefined ? 'the settings have no such provider' : `its api is ${chosen.api}`],
    next: [
      `set agent.tool_filter.embed_provider to one of: ${fitting.join(', ')}`,
      'or leave it empty: tools are ranked by words',
    ],
  });
}
