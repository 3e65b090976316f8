import { createToolSimilarities, type FilterSummary } from '@signalbox/coordinator';
import { type Clock, type Facts, type Settings, silentLogger } from '@signalbox/core';
import { openEmbedder } from './open-embedder.ts';

/** The tool filter of the settings, with its stored embeddings; null while it is off. Sends no request. */
export async function storedFilter(
  settings: Settings,
  { facts, clock }: Readonly<{ facts: Facts; clock: Clock }>,
): Promise<FilterSummary | null> {
  const { enabled, top_k: topK, always_on } = settings.agent.tool_filter;
  if (!enabled) return null;
  const embedder = openEmbedder(settings, { apiKeys: {}, clock })?.embedder ?? null;
  const similarities = createToolSimilarities({ embedder, facts, clock, logger: silentLogger });
  return { topK, alwaysOn: always_on.length, embeddings: await similarities.stored() };
}
