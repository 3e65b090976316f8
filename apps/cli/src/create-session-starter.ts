import {
  type Coordinator,
  createBudget,
  runSession,
  type SessionHandle,
  type TokenPrices,
} from '@signalbox/coordinator';
import {
  type Clock,
  createId,
  type EventLog,
  type Logger,
  type Mode,
  ProviderId,
  type ProviderSettings,
  type RandomBytes,
  type Redactor,
  type Settings,
  type ToolOffer,
  type ToolRegistry,
  toToolOffer,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import { createProvider, type ProviderOptionsInput } from '@signalbox/providers';
import { declaredTools } from './declared-tools.ts';
import type { SessionOptions } from './house.ts';

/** Local servers want some key and check none. */
const NO_KEY = 'none';

/** One session of a configured provider, from its first turn. */
export type StartSession = (options: SessionOptions) => Promise<SessionHandle>;

/** Starts sessions of the configured providers; all of them pay from one budget. */
export function createSessionStarter(parts: {
  readonly coordinator: Coordinator;
  readonly events: EventLog;
  readonly settings: Settings;
  readonly apiKeys: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly redactor: Redactor;
  readonly logger: Logger;
}): StartSession {
  const { coordinator, events, settings, clock, random, redactor, logger } = parts;
  const budget = createBudget(settings.budget);

  return async (options) => {
    const { provider: id, task, signal, context } = options;
    const chosen = providerNamed(id, settings);
    const { mode } = await coordinator.mode();
    const declared = declaredTools(id, chosen, coordinator.tools);
    return runSession({
      sessionId: createId('session', random),
      providerId: ProviderId.parse(id),
      provider: createProvider(wireOf(id, chosen, keyOf(id, chosen, parts.apiKeys)), { clock }),
      model: chosen.model,
      task,
      tools: offersOf(declared, { settings, tools: coordinator.tools, mode }),
      submit: coordinator.submit,
      cancelCommand: (commandId, reason) => coordinator.cancel(commandId, id, reason),
      events,
      clock,
      random,
      logger,
      redact: redactor.redact,
      trust: chosen.trust,
      context: { priority: chosen.priority, ...(declared === null ? {} : { tools: declared }), ...context },
      limits: {
        firstByteMs: chosen.timeouts.first_byte,
        idleMs: chosen.timeouts.idle,
        totalMs: chosen.timeouts.total,
      },
      retry: retryOf(settings),
      maxIterations: settings.agents.tool_execution.max_iterations,
      maxOutputTokens: chosen.max_output_tokens,
      temperature: chosen.temperature ?? undefined,
      prices: pricesOf(chosen),
      budget,
      signal,
    });
  };
}

/** @throws {UsageError} `unknown-provider` */
function providerNamed(id: string, settings: Settings): ProviderSettings {
  const chosen = settings.providers[id];
  if (chosen?.api === 'agent') {
    throw new UsageError(
      'agent-provider',
      `Cannot start provider "${id}": it is an agent, which comes by itself`,
      {
        next: [`signalbox connect ${id}`],
      },
    );
  }
  if (chosen !== undefined) return chosen;
  throw new UsageError('unknown-provider', `Cannot find provider "${id}"`, {
    why: [`the settings have ${Object.keys(settings.providers).join(', ')}`],
    next: ['signalbox config get providers'],
  });
}

/** @throws {UnavailableError} `missing-api-key` */
function keyOf(
  id: string,
  { api_key_env }: ProviderSettings,
  apiKeys: Readonly<Record<string, string | undefined>>,
): string {
  if (api_key_env === null) return NO_KEY;
  const key = apiKeys[api_key_env];
  if (key !== undefined && key !== '') return key;
  throw new UnavailableError('missing-api-key', `Cannot start provider "${id}": it has no API key`, {
    why: [`${api_key_env} is not set; .env is not read on purpose`],
    next: [`export ${api_key_env}=…`, 'signalbox demo needs no key'],
  });
}

function wireOf(id: string, chosen: ProviderSettings, apiKey: string): ProviderOptionsInput {
  const common = { id, baseUrl: chosen.base_url, apiKey, nativeTools: chosen.native_tools };
  if (chosen.api === 'anthropic-messages') {
    return { ...common, api: chosen.api, quirks: { maxOutputTokens: chosen.max_output_tokens } };
  }
  return { ...common, api: 'openai-chat', quirks: { echoReasoning: chosen.echo_reasoning } };
}

/** What a model may call: what it declared, only tools of the mode, none when the loop is switched off. */
function offersOf(
  declared: readonly string[] | null,
  circumstances: { settings: Settings; tools: ToolRegistry; mode: Mode },
): readonly ToolOffer[] {
  const { settings, tools, mode } = circumstances;
  if (!settings.agents.tool_execution.enabled) return [];
  return tools
    .list(mode)
    .filter(({ name }) => declared === null || declared.includes(name))
    .map(toToolOffer);
}

function retryOf(settings: Settings): Parameters<typeof runSession>[0]['retry'] {
  const { max_attempts, base_ms, max_ms, budget_secs } = settings.tools.retry;
  return { maxAttempts: max_attempts, baseMs: base_ms, maxMs: max_ms, budgetMs: budget_secs * 1000 };
}

function pricesOf({ prices }: ProviderSettings): TokenPrices | null {
  if (prices === null) return null;
  return {
    inputPerMillion: prices.input_per_million,
    cachedInputPerMillion: prices.cached_input_per_million,
    cacheWritePerMillion: prices.cache_write_per_million,
    outputPerMillion: prices.output_per_million,
  };
}
