import { type Message, ProviderError, type ToolOffer, type TurnEvent } from '@signalbox/core';
import { isKnowledge } from './compression/knowledge.ts';
import { retryDelayMs } from '../retry/retry-delay.ts';
import { noteTurn, type SessionContext } from './session-context.ts';
import type { TurnOffer } from './session-options.ts';
import type { SessionParts } from './session-parts.ts';
import { costOf } from './token-cost.ts';
import { callsOf, textOf, type TurnOutcome } from './turn-outcome.ts';
import { isOwnNote } from './own-notes.ts';

type Done = Extract<TurnEvent, { kind: 'done' }>;

/** One attempt at one turn: calls the provider, counts its cost, publishes events. */
export async function takeTurn(context: SessionContext, parts: SessionParts): Promise<TurnOutcome> {
  const { options, journal, ofSession, writer } = parts;
  const { turn, attempt } = context;
  const interrupted = parts.interruption.begin();
  await journal.tell({ type: 'turn_started', ...ofSession, turn, attempt });
  let done: Done;
  let offer: TurnOffer;
  try {
    offer = await options.offers(personsWords(context.messages));
    done = await askProvider(context, { ...parts, offer, stop: AbortSignal.any([parts.stop, interrupted]) });
  } catch (error) {
    if (interrupted.aborted && !parts.stop.aborted) return { kind: 'interrupted' };
    return failed(error, context, parts);
  }
  const { stop, assistant, usage } = done;
  const { leftOut, tokensSaved } = offer;
  const costUsd = costOf(usage, options.prices);
  if (costUsd !== null) options.budget.spend(costUsd);
  const text = options.redact(textOf(assistant));
  const calls = callsOf(assistant).length;
  const outcome = { kind: 'ended', stop, assistant, usage, costUsd } as const;
  const now = parts.current();
  // Stored with its event before any of its calls is submitted: it has been paid for.
  await writer.tell('sorting', {
    context: { ...now, ...noteTurn(now, outcome) },
    events: [
      {
        type: 'turn_ended',
        ...ofSession,
        turn,
        says: text,
        calls,
        usage,
        costUsd,
        ...(leftOut === 0 ? {} : { filter: { leftOut, tokensSaved } }),
      },
    ],
  });
  return outcome;
}

/** Calls are taken from `done` only, never from deltas: a truncated or broken call never runs. */
async function askProvider(
  { messages }: SessionContext,
  { options, stop, offer }: SessionParts & { readonly offer: TurnOffer },
): Promise<Done> {
  const { provider, model, maxOutputTokens, temperature, limits } = options;
  const request = {
    model,
    messages,
    tools: withOwnOffer(offer.tools, options.compression.offer),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
  for await (const event of provider.stream(request, { ...limits, signal: stop })) {
    if (event.kind === 'done') return event;
  }
  throw new ProviderError(
    'Truncated',
    `Cannot get a turn from "${provider.id}": its stream ended without a final event`,
  );
}

/** A model that may call no tool isn't offered the session's own either. Sorted, as the others are. */
function withOwnOffer(offers: readonly ToolOffer[], own: ToolOffer | null): readonly ToolOffer[] {
  if (offers.length === 0 || own === null) return offers;
  return [...offers, own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The task, and what the person said since; a summary holds anybody's words. */
function personsWords(messages: readonly Message[]): string {
  return messages.flatMap((message) => (isOfPerson(message) ? [message.text] : [])).join('\n');
}

function isOfPerson(message: Message): message is Message & { readonly role: 'user' } {
  return message.role === 'user' && !isKnowledge(message.text) && !isOwnNote(message.text);
}

async function failed(
  error: unknown,
  context: SessionContext,
  { options, journal, logger, ofSession, stop }: SessionParts,
): Promise<TurnOutcome> {
  const { turn, attempt, shortenedTurn } = context;
  const waitedMs = options.retryBudget.spentMs();
  const known = error instanceof ProviderError ? error : null;
  if (known === null) logger.error({ error, turn }, 'provider threw an error other than ProviderError');
  const kind = stop.aborted ? 'Cancelled' : (known?.kind ?? 'Protocol');
  const retryInMs =
    known === null || stop.aborted
      ? null
      : retryDelayMs(
          known,
          { attempt: attempt - Number(shortenedTurn === turn), waitedMs },
          { policy: options.retry, random: options.random },
        );
  if (retryInMs !== null) options.retryBudget.spend(retryInMs);
  const message = options.redact(
    known?.message ?? `Provider "${options.providerId}" failed inside Signalbox`,
  );
  logger.warn({ turn, attempt, kind, message, retryInMs, requestId: known?.requestId }, 'turn failed');
  await journal.tell({ type: 'turn_failed', ...ofSession, turn, attempt, kind, message, retryInMs });
  return { kind: 'failed', error: kind, message, retryInMs };
}
