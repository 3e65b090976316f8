import { type Coordinator, createBudget, runSession, type SessionHandle } from '@signalbox/coordinator';
import {
  type Clock,
  createId,
  type EventLog,
  type Logger,
  ProviderId,
  type RandomBytes,
  type Redactor,
  type Settings,
  toToolOffer,
} from '@signalbox/core';
import { declaredTools } from './declared-tools.ts';
import { openProvider } from './open-provider.ts';
import type { SessionOptions } from './house.ts';

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
    const { provider: id, task, signal, context, moreTurns } = options;
    const { chosen, provider, prices } = openProvider(id, { settings, apiKeys: parts.apiKeys, clock });
    const declared = declaredTools(id, chosen, coordinator.tools);
    return runSession({
      sessionId: createId('session', random),
      providerId: ProviderId.parse(id),
      provider,
      model: chosen.model,
      task,
      offers: async () => (await coordinator.offers(declared)).map(toToolOffer),
      submit: coordinator.submit,
      cancelCommand: (commandId, reason) => coordinator.cancel(commandId, id, reason),
      events,
      clock,
      random,
      logger,
      redact: redactor.redact,
      trust: chosen.trust,
      context: {
        priority: chosen.priority,
        pausesOnExpiry: true,
        ...(declared === null ? {} : { tools: declared }),
        ...context,
      },
      limits: {
        firstByteMs: chosen.timeouts.first_byte,
        idleMs: chosen.timeouts.idle,
        totalMs: chosen.timeouts.total,
      },
      retry: retryOf(settings),
      maxIterations: settings.agents.tool_execution.max_iterations,
      moreTurns,
      maxOutputTokens: chosen.max_output_tokens,
      temperature: chosen.temperature ?? undefined,
      prices,
      budget,
      signal,
    });
  };
}

function retryOf(settings: Settings): Parameters<typeof runSession>[0]['retry'] {
  const { max_attempts, base_ms, max_ms, budget_secs } = settings.tools.retry;
  return { maxAttempts: max_attempts, baseMs: base_ms, maxMs: max_ms, budgetMs: budget_secs * 1000 };
}
