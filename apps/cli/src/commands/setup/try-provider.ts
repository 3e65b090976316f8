import { costOf } from '@signalbox/coordinator';
import { createRedactor, ProviderError, type Settings, SignalboxError, type Usage } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { type OpenedProvider, openProvider } from '../../runtime/open-provider.ts';
import { duration } from '../../terminal/render-context.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';
import { hintOf } from '../../views/provider-hints.ts';

/** Enough for a word; reasoning models may need more and are cut, which is an answer too. */
const MAX_OUTPUT_TOKENS = 32;

/**
 * Asks a provider for one word, to check its key, model and address.
 *
 * @throws {UsageError} `unknown-provider`, `agent-provider`, `unconfirmed-provider`: there is nothing to try
 */
export async function tryProvider(id: string, context: Context): Promise<DoctorCheck> {
  const { settings } = await loadSettings(context);
  const { env: apiKeys, clock } = context;
  // The only check requested.
  const check = { id, stops: true };
  try {
    const opened = openProvider(id, { settings, apiKeys, clock });
    const startedAt = clock.monotonic();
    const usage = await turnOf(opened);
    const took = duration(clock.monotonic() - startedAt);
    return {
      ...check,
      ok: true,
      why: `${opened.chosen.model} answered after ${took}, ${paid(usage, opened)}`,
    };
  } catch (error) {
    if (!(error instanceof SignalboxError) || UNTRIED.has(error.code)) throw error;
    const { redact } = createRedactor({ secrets: secretsOf(id, settings, apiKeys) });
    const fix = fixFor(error, id, settings);
    return {
      ...check,
      ok: false,
      why: redact([error.message, ...error.why].join(': ')),
      ...(fix === undefined ? {} : { fix }),
    };
  }
}

const UNTRIED: ReadonlySet<string> = new Set(['unknown-provider', 'agent-provider', 'unconfirmed-provider']);

async function turnOf({ model: { provider, limits }, chosen }: OpenedProvider): Promise<Usage | null> {
  const request = {
    model: chosen.model,
    messages: [{ role: 'user', text: 'Answer with the word ok.' }] as const,
    tools: [],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
  const { signal } = new AbortController();
  for await (const event of provider.stream(request, { ...limits, signal })) {
    if (event.kind === 'done') return event.usage;
  }
  return null;
}

function paid(usage: Usage | null, { model: { prices } }: OpenedProvider): string {
  if (usage === null) return 'and reported no token counts';
  const cost = costOf(usage, prices);
  const dollars = cost === null ? 'no prices are set' : `$${cost.toFixed(6)}`;
  return `${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${dollars}`;
}

function fixFor(error: SignalboxError, id: string, { providers }: Settings): string | undefined {
  const chosen = providers[id];
  const hint = error instanceof ProviderError && chosen !== undefined ? hintOf(error.kind, id, chosen) : null;
  return hint ?? error.next[0];
}

function secretsOf(id: string, { providers }: Settings, env: Context['env']): readonly string[] {
  const name = providers[id]?.api_key_env ?? '';
  const key = env[name] ?? '';
  return key === '' ? [] : [key];
}
