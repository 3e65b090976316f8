import {
  type Coordinator,
  type OfferPlan,
  type OpenedModel,
  type PrepareSession,
  retryPolicyOf,
  runSession,
  type TurnOffer,
} from '@signalbox/coordinator';
import {
  COMPRESS_CONTEXT,
  type Clock,
  type EventLog,
  type GrowingRedactor,
  type Logger,
  type RandomBytes,
  type Settings,
  toToolOffer,
  UsageError,
} from '@signalbox/core';
import { declaredTools } from './contract/declared-tools.ts';
import { openProvider } from './open-provider.ts';

/** Starts sessions of the configured providers, with the settings current at that time. */
export function createSessionStarter(parts: {
  readonly coordinator: Coordinator;
  readonly events: EventLog;
  readonly settings: () => Settings;
  /** For sessions that bring no key. */
  readonly apiKeys: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly redactor: GrowingRedactor;
  readonly logger: Logger;
}): PrepareSession {
  const { coordinator, events, clock, random, redactor, logger } = parts;

  return ({ provider: id, task, turns, keys, context, left, ...start }) => {
    const settings = parts.settings();
    checkKeyNames(keys, settings);
    const apiKeys = { ...parts.apiKeys, ...keys };
    const opening = { settings, apiKeys, clock };
    const { chosen, model } = openProvider(id, opening);
    // Opened before the first turn: a missing key must not show up in the middle of the work.
    const named = (name: string): OpenedModel => (name === '' ? model : openProvider(name, opening).model);
    const compressing = named(settings.agent.compress_provider);
    const repairing = named(settings.tools.retry.parameter_reformat_provider);
    const compressTool = coordinator.tools.get(COMPRESS_CONTEXT);
    const declared = declaredTools(id, chosen, coordinator.tools);
    redactor.add(Object.values(keys));
    const caller = chosen.native_tools ? ('native' as const) : ('prompt' as const);
    const session = { provider: id, sessionId: start.sessionId };
    return () =>
      runSession({
        ...start,
        providerId: id,
        provider: model.provider,
        model: chosen.model,
        task,
        offers: async (words) =>
          turnOfferOf(await coordinator.offers.of({ session, declared, caller, task: words })),
        isComplex: coordinator.offers.isComplex,
        submit: (call, { commandId, ...of }) => coordinator.submitAs(call, { id: commandId, context: of }),
        resumed:
          left === undefined
            ? undefined
            : {
                step: left,
                changes: () => coordinator.changedSinceRead(session),
                earlierResult: coordinator.earlierResult,
              },
        sessions: coordinator.sessions,
        cancelCommand: (commandId, reason) => coordinator.cancel(commandId, { by: id, reason }),
        events,
        clock,
        random,
        logger,
        redact: redactor.redact,
        trust: chosen.trust,
        context: {
          priority: chosen.priority,
          ...(declared === null ? {} : { tools: declared }),
          ...context,
        },
        limits: model.limits,
        retry: retryPolicyOf(settings),
        retryBudget: coordinator.retryBudgetOf(start.sessionId),
        compression: {
          model: compressing,
          contextTokens: chosen.context_tokens,
          at: settings.agent.compress_at,
          offer: compressTool === undefined ? null : toToolOffer(compressTool),
        },
        repair: {
          model: repairing,
          offerOf: (name) => {
            const tool = coordinator.tools.get(name);
            return tool === undefined ? undefined : toToolOffer(tool);
          },
        },
        failurePolicy: settings.agents.tool_execution,
        maxIterations: turns ?? settings.agents.tool_execution.max_iterations,
        maxOutputTokens: model.maxOutputTokens,
        temperature: model.temperature,
        prices: model.prices,
      });
  };
}

function turnOfferOf({ offered, hidden, tokensSaved }: OfferPlan): TurnOffer {
  return {
    tools: offered.map(({ definition }) => definition),
    leftOut: hidden.filter(({ reason }) => reason.kind === 'left-out').length,
    tokensSaved,
  };
}

/** @throws {UsageError} `unknown-key` for a variable that no provider reads its key from, so no client may send it */
function checkKeyNames(keys: Readonly<Record<string, string>>, { providers }: Settings): void {
  const known = new Set(Object.values(providers).map(({ api_key_env }) => api_key_env));
  const unknown = Object.keys(keys).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new UsageError('unknown-key', 'Cannot use a key that no provider in the settings names', {
    why: unknown,
    next: ['signalbox config get providers'],
  });
}
