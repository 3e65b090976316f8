import type { OpenedModel } from '@signalbox/coordinator';
import { type Clock, ProviderId, type ProviderSettings, type Settings, UsageError } from '@signalbox/core';
import { createProvider, type ProviderOptionsInput } from '@signalbox/providers';
import { keyOf, pricesOf } from './settings/key-and-prices.ts';
import { requireConfirmed } from './settings/require-confirmed.ts';

/** A configured provider, ready for requests. */
export type OpenedProvider = Readonly<{
  chosen: ProviderSettings;
  model: OpenedModel;
}>;

/**
 * Sends no request yet.
 *
 * @throws {UsageError} `unknown-provider`, `agent-provider`, `unconfirmed-provider`. @throws {UnavailableError}
 * `missing-api-key`
 */
export function openProvider(
  id: string,
  parts: Readonly<{
    settings: Settings;
    apiKeys: Readonly<Record<string, string | undefined>>;
    clock: Clock;
  }>,
): OpenedProvider {
  const chosen = providerNamed(id, parts.settings);
  const wire = wireOf(id, keyOf(id, chosen, parts.apiKeys), chosen);
  const { timeouts } = chosen;
  return {
    chosen,
    model: {
      id: ProviderId.parse(id),
      provider: createProvider(wire, { clock: parts.clock }),
      model: chosen.model,
      contextTokens: chosen.context_tokens,
      maxOutputTokens: chosen.max_output_tokens,
      temperature: chosen.temperature ?? undefined,
      prices: pricesOf(chosen),
      limits: { firstByteMs: timeouts.first_byte, idleMs: timeouts.idle, totalMs: timeouts.total },
    },
  };
}

/** @throws {UsageError} `unknown-provider`, `agent-provider`, `unconfirmed-provider` */
function providerNamed(id: string, settings: Settings): ProviderSettings {
  const chosen = settings.providers[id];
  if (chosen?.api === 'agent') {
    throw new UsageError(
      'agent-provider',
      `Cannot start provider "${id}": it is an agent that connects by itself`,
      {
        next: [`signalbox connect ${id}`],
      },
    );
  }
  if (chosen !== undefined) {
    requireConfirmed(id, chosen);
    return chosen;
  }
  throw new UsageError('unknown-provider', `Cannot find provider "${id}"`, {
    why: [`the settings have ${Object.keys(settings.providers).join(', ')}`],
    next: ['signalbox config get providers'],
  });
}

function wireOf(id: string, apiKey: string, chosen: ProviderSettings): ProviderOptionsInput {
  const common = { id, baseUrl: chosen.base_url, apiKey, nativeTools: chosen.native_tools };
  if (chosen.api === 'anthropic-messages') {
    return { ...common, api: chosen.api, quirks: { maxOutputTokens: chosen.max_output_tokens } };
  }
  return { ...common, api: 'openai-chat', quirks: { echoReasoning: chosen.echo_reasoning } };
}
