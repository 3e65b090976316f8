import { createHash } from 'node:crypto';
import {
  type AdversarialDecision,
  canonicalJson,
  type CommandStore,
  type Failure,
  Json,
  matchesTool,
  ProviderId,
  type Settings,
} from '@signalbox/core';
import type { OpenedModel } from '../../model-requests/ask-model.ts';
import type { CallGate, GateAnswer, GatedCall } from '../gate.ts';
import { askJudge, type JudgeAnswer, type JudgeParts } from './ask-judge.ts';
import { createClaimSources } from './claim-sources.ts';
import { INSTRUCTIONS_VERSION, MAX_JUDGED_CHARS } from './judge-question.ts';
import { policiesFor } from './policies-for.ts';
import { createSharedVerdicts } from './shared-verdicts.ts';

const KEYS = 'tools.adversarial_policy';
const ASK_PERSON = 'Do not try the same by other means; ask the user';
/** Characters of a policy that messages and records quote. */
const MAX_QUOTED = 300;

/**
 * A model judges each call by the operator's policies in plain words (P5, S001-116…119).
 *
 * It fails closed: no verdict is a denial, a judge that can't be asked refuses unless `fail_open` is set, and one
 * without budget refuses always. Equal calls share one verdict while policies and judge stay the same.
 */
export function createAdversarialGate(
  parts: JudgeParts & {
    readonly store: Pick<CommandStore, 'get' | 'list'>;
    /** As they are now. */
    readonly settings: () => Settings;
    /** Rejects with a {@link SignalboxError} when that provider can't be asked: unknown, unconfirmed, without its key */
    readonly openJudge: (id: string, settings: Settings) => Promise<OpenedModel>;
  },
): CallGate {
  const { clock, redactor, logger } = parts;
  const shared = createSharedVerdicts<JudgeAnswer>();
  const sources = createClaimSources({ store: parts.store, redact: redactor.redact });
  const opened = new WeakMap<Settings, Promise<OpenedModel>>();
  const versions = new WeakMap<Settings, string>();
  let spentUsd = 0;

  async function judgeOf(settings: Settings): Promise<OpenedModel> {
    const known = opened.get(settings);
    const judge = known ?? parts.openJudge(settings.tools.adversarial_policy.policy_provider, settings);
    opened.set(settings, judge);
    try {
      return await judge;
    } catch (error) {
      opened.delete(settings);
      throw error;
    }
  }

  function versionNow(): string {
    const settings = parts.settings();
    const version = versions.get(settings) ?? versionOf(settings);
    versions.set(settings, version);
    return version;
  }

  function ask(call: GatedCall, policies: readonly string[], signal: AbortSignal): Promise<JudgeAnswer> {
    const settings = parts.settings();
    const { timeout, budget } = settings.tools.adversarial_policy;
    if (budget !== null && spentUsd >= budget) {
      const why = `its budget is spent (${KEYS}.budget: ${budget} US dollars)`;
      return Promise.resolve({ kind: 'spent', why });
    }
    const spend = (costUsd: number): void => void (spentUsd += costUsd);
    return askJudge(call, { policies, open: () => judgeOf(settings), timeout, spend, signal }, parts);
  }

  /** Not worth failing a call for. */
  async function sourceOf(call: GatedCall): ReturnType<typeof sources.of> {
    try {
      return await sources.of(call);
    } catch (error) {
      logger.warn({ error }, 'claim source not found');
      return null;
    }
  }

  return {
    name: 'adversarial',
    asksModel: true,

    applies(call) {
      const { enabled, exempt_tools, policies } = parts.settings().tools.adversarial_policy;
      return (
        enabled &&
        !exempt_tools.some((pattern) => matchesTool(pattern, call.call.tool)) &&
        policiesFor(call, policies).length > 0
      );
    },

    async judge(call, signal) {
      const settings = parts.settings().tools.adversarial_policy;
      const policies = policiesFor(call, settings.policies);
      const version = versionNow();
      const startedAt = clock.monotonic();
      // The same call has other effects once an .npmrc names another registry.
      const effects = canonicalJson(Json.parse(call.verdict.effects));
      const key = [call.callHash, version, hashOf([effects, ...policies])].join(' ');
      const [{ answer, cached }, claimSource] = await Promise.all([
        shared.of(key, {
          ask: (requestSignal) => ask(call, policies, requestSignal),
          keeps: ({ kind }) => kind === 'allow' || kind === 'deny',
          signal,
        }),
        sourceOf(call),
      ]);
      const { mode, fail_open, policy_provider } = settings;
      const shadow = mode === 'shadow';
      const decision: AdversarialDecision = {
        gate: 'adversarial',
        decision: decisionOf(answer),
        shadow,
        reason: redactor.redact(reasonOf(answer, policy_provider)),
        ms: clock.monotonic() - startedAt,
        policy: answer.kind === 'deny' ? redactor.redact(quoted(answer.policy)) : null,
        provider: ProviderId.parse(policy_provider),
        phase: call.context.phase,
        cached,
        version,
        claimSource,
      };
      const passes = answer.kind === 'allow' || shadow || (answer.kind === 'unavailable' && fail_open);
      if (passes) return { kind: 'pass', decision };
      return { kind: 'refuse', decision, failure: failureOf(answer, decision) } satisfies GateAnswer;
    },

    failure: {
      code: 'judge_unavailable',
      category: 'ServerError',
      suggestion: 'Stop and tell the user: signalbox logs shows the cause',
    },

    stillCounts(decision) {
      if (parts.settings().tools.adversarial_policy.mode === 'shadow') return true;
      return decision?.gate === 'adversarial' && decision.version === versionNow();
    },

    noteEnded: sources.noteEnded,
  };
}

function decisionOf({ kind }: JudgeAnswer): AdversarialDecision['decision'] {
  if (kind === 'spent') return 'unavailable';
  return kind === 'allow' || kind === 'unavailable' ? kind : 'deny';
}

function reasonOf(answer: JudgeAnswer, judge: string): string {
  switch (answer.kind) {
    case 'allow':
      return `judge "${judge}": violates no policy`;
    case 'deny':
      return `judge "${judge}": violates the policy "${quoted(answer.policy)}"`;
    case 'unclear':
      return `judge "${judge}" gave no verdict: ${answer.why}`;
    case 'hidden':
      return 'a part of the call looks like a secret, so it is kept from the judge, and has more than one word';
    case 'too-large':
      return `the call is longer than the ${MAX_JUDGED_CHARS} characters that are judged`;
    case 'unavailable':
    case 'spent':
      return `judge "${judge}" can't be asked: ${answer.why}`;
  }
}

function failureOf({ kind }: JudgeAnswer, { reason }: AdversarialDecision): Failure {
  const message = `Not run: ${reason}`;
  if (kind === 'unavailable' || kind === 'spent') {
    const suggestion =
      kind === 'spent'
        ? `Stop and tell the user: ${KEYS}.budget can be raised`
        : `Try again a little later, or tell the user to check ${KEYS}.policy_provider`;
    return { code: 'judge_unavailable', category: 'ServerError', message, suggestion, visibility: 'visible' };
  }
  if (kind === 'too-large') {
    const suggestion = 'Make several smaller calls, such as one per part of the text';
    return {
      code: 'judge_too_large',
      category: 'InvalidParameters',
      message,
      suggestion,
      visibility: 'visible',
    };
  }
  if (kind === 'hidden') {
    const suggestion = 'Keep secrets out of the call: name a variable or a file that holds them';
    return {
      code: 'judge_hidden',
      category: 'InvalidParameters',
      message,
      suggestion,
      visibility: 'visible',
    };
  }
  const code = kind === 'deny' ? 'judge_denied' : 'judge_unclear';
  return { code, category: 'PolicyBlocked', message, suggestion: ASK_PERSON, visibility: 'visible' };
}

function quoted(policy: string): string {
  return policy.length <= MAX_QUOTED ? policy : `${policy.slice(0, MAX_QUOTED - 1)}…`;
}

/** Under other policies or another judge an earlier verdict does not count. */
function versionOf({ tools: { adversarial_policy }, providers }: Settings): string {
  const { policies, policy_provider, exempt_tools, fail_open, mode } = adversarial_policy;
  const { model = null, base_url = null } = providers[policy_provider] ?? {};
  return hashOf([
    String(INSTRUCTIONS_VERSION),
    canonicalJson({ policies, policy_provider, exempt_tools, fail_open, mode, model, base_url }),
  ]);
}

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(canonicalJson(texts)).digest('hex').slice(0, 16);
}
