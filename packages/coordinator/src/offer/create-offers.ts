import type { CallContext, CommandRecord, Tool } from '@signalbox/core';
import { refusals } from '../command/outcome/refusals.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import type { Judgement } from '../judging/judge-call.ts';
import type { ModeService } from '../mode/mode-service.ts';
import { countedEmbedder } from './counted-embedder.ts';
import type { Candidate, FilterFacts } from './filter-tools.ts';
import { missingFor } from './gate-dependencies.ts';
import type { OfferPlan, OfferRequest } from './offer.ts';
import type { OfferService } from './offer-service.ts';
import { dependenciesOf, isComplex, isExempt, plainDefinition, planOffer } from './plan-offer.ts';
import { createSessionTools, type SessionTools } from './session-tools.ts';
import { createToolSimilarities, similaritiesByWords } from './tool-similarities.ts';
import { nameWords } from './tool-words.ts';

/** What callers are offered, and what follows from it for their calls. */
export type Offers = OfferService & {
  /** Rejects a call whose tool requires others first. Otherwise the session is offered the tool from now on. */
  gated(judgement: Judgement, context: CallContext): Promise<Judgement>;
  /** A command has run. */
  noteRan(record: CommandRecord, success: boolean): void;
  /** Tools that the filter left out, by what they do, best first; the caller is offered them from now on. */
  find(words: string, context: CallContext): Promise<readonly Tool[]>;
};

/** Found at once; with more a list does not help to choose. */
const MAX_FOUND = 5;
/** Tools that an event names. */
const MAX_REPORTED = 20;

export function createOffers(
  parts: Pick<
    CoordinatorOptions,
    'tools' | 'policy' | 'settings' | 'facts' | 'store' | 'events' | 'clock' | 'logger' | 'embedder'
  > & { readonly redact: (text: string) => string },
  modes: Pick<ModeService, 'current'>,
): Offers {
  const { tools, policy, settings, events, logger, redact } = parts;
  const { tool_filter } = settings.agent;
  const similarities = createToolSimilarities({ ...parts, embedder: countedEmbedder(parts) });
  const sessions = createSessionTools(parts);
  const dependencies = dependenciesOf(settings);
  /** Sessions are followed only where it makes a difference. */
  const isFollowed = tool_filter.enabled || settings.tools.dependencies.enabled;

  /** The embedding server is another than the model's, so it gets no secrets. */
  async function similaritiesFor(
    candidates: readonly Candidate[],
    {
      task,
      session,
      ofSession,
    }: {
      readonly task: string;
      readonly session: SessionTools | null;
      readonly ofSession: OfferRequest['session'];
    },
  ): Promise<FilterFacts['similarities']> {
    if (session?.isUnfiltered === true) return null;
    const stamp = `${task}\n${candidates.map(({ tool }) => tool.name).join(' ')}`;
    if (session?.ranked?.stamp === stamp) return session.ranked.similarities;
    const found = await similarities.of({ text: redact(task), ofSession }, candidates);
    if (session !== null && found !== null) session.ranked = { stamp, similarities: found };
    return found;
  }

  async function plan(request: OfferRequest, session: SessionTools | null): Promise<OfferPlan> {
    const mode = request.mode ?? (await modes.current()).mode;
    return planOffer({
      settings,
      tools: tools.list(),
      obstacleTo: (tool) =>
        policy.offerObstacle(tool, { mode, declared: request.declared, phase: request.phase }),
      caller: request.caller,
      task: request.task,
      completed: session?.completed ?? new Set(),
      kept: session?.kept ?? new Set(),
      similaritiesOf: (candidates) =>
        similaritiesFor(candidates, { task: request.task, session, ofSession: request.session }),
    });
  }

  async function reportLifted(
    ofSession: NonNullable<OfferRequest['session']>,
    { session, lifted }: { readonly session: SessionTools; readonly lifted: readonly string[] },
  ): Promise<void> {
    const isNew = lifted.length > 0 && lifted.join(' ') !== session.lifted?.join(' ');
    session.lifted = lifted;
    if (!isNew) return;
    logger.warn({ ...ofSession, tools: lifted }, 'requirements of tools lifted: no tool could be called');
    await events
      .append([{ type: 'requirements_lifted', ...ofSession, tools: lifted.slice(0, MAX_REPORTED) }])
      .catch((error: unknown) => logger.error({ error }, 'session events not stored'));
  }

  /** The tools that must succeed in the session before this call; empty: it may be made now. */
  async function missingTools(
    tool: Tool,
    { provider, sessionId, task = '', tools: declared, phase }: CallContext,
  ): Promise<readonly string[]> {
    if (provider === 'you' || dependencies.of(tool.name).requires.length === 0) return [];
    const session = await sessions.of(sessionId);
    const words = nameWords(session.task === '' ? task : session.task);
    const missing = missingFor(tool.name, {
      dependencies,
      completed: session.completed,
      isExempt: (name) => isExempt({ name }, { tool_filter, words }),
    });
    if (missing.length === 0) return [];
    // Clients of the API may call without ever asking for an offer.
    session.lifted ??= (
      await plan({ declared: declared ?? null, caller: 'agent', task, phase }, session)
    ).lifted;
    return session.lifted.includes(tool.name) ? [] : missing;
  }

  return {
    async of(request) {
      const { session: ofSession, caller } = request;
      if (ofSession === undefined || !isFollowed) return plan(request, null);
      const session = await sessions.of(ofSession.sessionId);
      const offer = await plan(request, session);
      if (caller !== 'agent') session.task = request.task;
      if (offer.isFiltered) for (const { tool } of offer.offered) session.kept.add(tool.name);
      else if (caller === 'native') session.isUnfiltered = true;
      await reportLifted(ofSession, { session, lifted: offer.lifted });
      return offer;
    },

    async gated(judgement, context) {
      if (judgement.kind === 'rejected' || judgement.ruling.kind === 'deny') return judgement;
      const { tool, judged } = judgement;
      const missing = await missingTools(tool, context);
      if (missing.length > 0) {
        const outcome = refusals.needsEarlier(tool.name, missing);
        return { kind: 'rejected', title: judged.title, args: judged.call.args, outcome };
      }
      sessions.known(context.sessionId)?.kept.add(tool.name);
      return judgement;
    },

    noteRan({ call, context }, success) {
      if (success) sessions.known(context.sessionId)?.completed.add(call.tool);
    },

    async find(words, { sessionId, provider, tools: declared = null, phase }) {
      if (!tool_filter.enabled) return [];
      const [session, { mode }] = await Promise.all([sessions.of(sessionId), modes.current()]);
      const leftOut = tools
        .list()
        .filter(
          (tool) =>
            tool.offered !== 'filtered' &&
            !session.kept.has(tool.name) &&
            policy.offerObstacle(tool, { mode, declared, phase }) === null,
        )
        .map((tool) => ({ tool, definition: plainDefinition(tool) }));
      const query = redact(words);
      const found =
        (await similarities.of({ text: query, ofSession: { sessionId, provider } }, leftOut)) ??
        similaritiesByWords(query, leftOut);
      const scored = leftOut.map(({ tool }) => ({ tool, score: found?.get(tool.name) ?? 0 }));
      const best = scored.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score);
      const chosen = best.slice(0, MAX_FOUND).map(({ tool }) => tool);
      for (const { name } of chosen) session.kept.add(name);
      return chosen;
    },

    isComplex(name) {
      const tool = tools.get(name);
      return tool !== undefined && isComplex(tool, settings.tools);
    },

    async filter() {
      if (!tool_filter.enabled) return null;
      return {
        topK: tool_filter.top_k,
        alwaysOn: tool_filter.always_on.length,
        embeddings: await similarities.stored(),
      };
    },
  };
}
