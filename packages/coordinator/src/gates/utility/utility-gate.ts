import {
  type Clock,
  type CommandRecord,
  type CommandResult,
  type CommandStore,
  type Effect,
  estimateTokens,
  type EventLog,
  type Failure,
  type Files,
  type Logger,
  type Settings,
  type Stamps,
  type ToolRegistry,
  type UtilityDecision,
} from '@signalbox/core';
import { keepLatest } from '../../keep-latest.ts';
import { changeOf } from '../../judging/change.ts';
import { agentOf } from '../../judging/repeat-gate.ts';
import type { CallGate, GatedCall } from '../gate.ts';
import { bypasses } from './bypasses.ts';
import { programOf, scoredCallOf } from './program-of.ts';
import { covers, scopeOf } from './read-scope.ts';
import { type ScoredCall, scoreUtility, type UtilityScore } from './score-utility.ts';
import { createSessionResults, type RememberedResult } from './session-results.ts';
import { shinglesOf } from './shingles.ts';

/** Skips calls that would only repeat what their model has read (P4, S001-112). */
export type UtilityGate = {
  readonly gate: CallGate;
  /** Call before it runs: remembers the state of what it reads. */
  noteJudged(call: GatedCall): void;
  close(): void;
};

type KnownScore = UtilityScore & { readonly tokens: number | null };

const MAX_STAMPS = 200;
/** Commands of the history that the means begin with. */
const MAX_HISTORY = 300;
/** Sources that are checked before a call is skipped. */
const MAX_CHECKS = 3;

/** Undefined when it is switched off. */
export function createUtilityGate(parts: {
  readonly settings: Settings;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly lines: { readonly tests: string | null; readonly lint: string | null };
  readonly store: Pick<CommandStore, 'list'>;
  readonly files: Pick<Files, 'stat'>;
  readonly stamps?: Stamps | undefined;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
}): UtilityGate | undefined {
  const { settings, tools, stamps, clock, logger } = parts;
  const { enabled, mode, threshold, exempt_tools: exempt } = settings.tools.utility;
  if (!enabled) return undefined;
  const isShadow = mode === 'shadow';
  const results = createSessionResults();
  /** State of what a call reads, from before it ran. */
  const before = new Map<string, Promise<string | null>>();
  /** The chain asks several times about one call. */
  const subjects = new WeakMap<GatedCall['call'], ScoredCall>();
  // The earlier results are gone then, and its model may need them again.
  const close = parts.events.subscribe((event) => {
    if (event.type === 'context_compressed' && event.how !== 'none') results.forget(event.sessionId);
  });
  void learnFromHistory();

  async function learnFromHistory(): Promise<void> {
    try {
      const records = await parts.store.list({ states: ['done'], limit: MAX_HISTORY });
      for (const record of records.toReversed())
        if (record.result !== null) noteTokens(record, record.result);
    } catch (error) {
      logger.warn({ error }, 'lengths of earlier answers not known');
    }
  }

  function lineOf({ tool: name, args }: GatedCall['call']): string | null {
    return tools.get(name)?.shellLine?.(args, parts.lines).line ?? null;
  }

  function noteTokens({ call }: CommandRecord, { content }: CommandResult): void {
    if (tools.get(call.tool) !== undefined)
      results.noteTokens(programOf(call, lineOf(call)), estimateTokens(content.slice(0, 65_536)));
  }

  /** Null when what it reads can't be compared. */
  async function stampNow(effects: readonly Effect[], recent: 'refuse' | 'accept'): Promise<string | null> {
    const scope = scopeOf(effects);
    if (scope === null || stamps === undefined) return null;
    const readsGit = effects.some(({ kind }) => kind === 'resource');
    // In a linked work tree git's files are elsewhere.
    if (readsGit && (await parts.files.stat('.git').catch(() => null))?.kind !== 'directory') return null;
    const stamp = await stamps.take(scope, { recent }).catch(() => null);
    return stamp?.digest ?? null;
  }

  async function isUnchanged({ stamp, effects }: RememberedResult): Promise<boolean> {
    const then = await stamp;
    return then !== null && then === (await stampNow(effects, 'accept'));
  }

  function subjectOf(call: GatedCall['call']): ScoredCall {
    const subject = subjects.get(call) ?? scoredCallOf(call, lineOf(call));
    subjects.set(call, subject);
    return subject;
  }

  function scoreNow({ call, verdict, context }: GatedCall): KnownScore {
    const subject = subjectOf(call);
    const past = results
      .of(agentOf(context))
      .map((one) => ({ ...one, isFresh: one.isFresh && covers(one.effects, verdict.effects) }));
    const tokens = results.tokensOf(subject.program);
    return { ...scoreUtility(subject, { past, tokens }), tokens };
  }

  /** Scores until the earlier result that it is compared with is known to be up to date. */
  async function scoreChecked(call: GatedCall): Promise<KnownScore> {
    for (let checks = 0; ; checks++) {
      const found = scoreNow(call);
      if (found.score >= threshold || found.source === null) return found;
      const agent = agentOf(call.context);
      const { commandId } = found.source.result;
      const source = results.of(agent).find((one) => one.commandId === commandId);
      if (source !== undefined && checks < MAX_CHECKS && (await isUnchanged(source))) return found;
      results.outdate(agent, found.source.result);
    }
  }

  /** What is not remembered is not skipped later. */
  function quietly(note: () => void): void {
    try {
      note();
    } catch (error) {
      logger.warn({ error }, 'not remembered for the utility gate');
    }
  }

  function isJudged(call: GatedCall): boolean {
    return !bypasses(call, { tool: tools.get(call.call.tool), line: lineOf(call.call), exempt });
  }

  const gate: CallGate = {
    name: 'utility',
    // It compares files, so the call waits as for a model; one with a high score does not come here.
    asksModel: true,
    applies(call) {
      try {
        return isJudged(call) && scoreNow(call).score < threshold;
      } catch {
        // It fails again below, and the call is refused.
        return true;
      }
    },
    async judge(call) {
      const startedAt = clock.monotonic();
      const found = await scoreChecked(call);
      const isUseful = found.score >= threshold;
      const decision: UtilityDecision = {
        gate: 'utility',
        decision: isUseful ? 'allow' : 'deny',
        shadow: isShadow,
        reason: isUseful
          ? `what it reads has changed: score ${rounded(found.score)}`
          : whyOf(found, threshold),
        ms: clock.monotonic() - startedAt,
        terms: { ...found.terms, score: found.score, tokens: Math.round(found.tokens ?? 0) },
      };
      if (isUseful || isShadow) return { kind: 'pass', decision };
      return { kind: 'refuse', decision, failure: refusal(found, decision.reason) };
    },
    failure: { code: 'utility-unscored', category: 'ServerError', suggestion: 'Stop and tell the user' },
    // A score says nothing about safety, so it need not be renewed.
    stillCounts: () => true,
    noteEnded: (record, result) =>
      quietly(() => {
        const { context, callHash, verdict, call, id: commandId } = record;
        if (record.startedAt === null && result.reusedFrom === undefined) return;
        results.changed(changeOf(record, result));
        noteTokens(record, result);
        const key = callHash === null ? '' : stampKey(context, callHash);
        const stamp = before.get(key);
        const hasAnswered = result.outcome.kind === 'completed' || result.outcome.kind === 'failed';
        if (stamp === undefined || verdict === null || !hasAnswered) return;
        before.delete(key);
        results.add(agentOf(context), {
          ...subjectOf(call),
          commandId,
          sessionId: context.sessionId,
          effects: verdict.effects,
          stamp,
          output: shinglesOf(result.content),
          isEmpty: result.content.trim() === '',
          isFresh: true,
        });
      }),
  };

  return {
    gate,
    noteJudged: (call) =>
      quietly(() => {
        if (!isJudged(call)) return;
        const stamp = stampNow(call.verdict.effects, 'refuse');
        keepLatest(before, stampKey(call.context, call.callHash), { value: stamp, max: MAX_STAMPS });
      }),
    close,
  };
}

function stampKey({ sessionId }: Pick<GatedCall['context'], 'sessionId'>, hash: string): string {
  return `${sessionId} ${hash}`;
}

/** `redundant 0.9: same output as cmd_… 2 reads ago; gain 0.5, cost 0.1, exploration 0: score -0.4, below 0`. */
function whyOf({ terms, score, source }: UtilityScore, threshold: number): string {
  const { gain, cost, redundancy, exploration } = terms;
  const same =
    source === null
      ? ''
      : `: same output as ${source.result.commandId} ${source.callsAgo === 1 ? 'one read' : `${source.callsAgo} reads`} ago`;
  return `redundant ${rounded(redundancy)}${same}; gain ${rounded(gain)}, cost ${rounded(cost)}, exploration ${rounded(exploration)}: score ${rounded(score)}, below ${threshold}`;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function refusal({ source }: UtilityScore, reason: string): Failure {
  const suggestion =
    source === null
      ? 'Make a call that adds more, or continue without it'
      : `Nothing that it reads has changed. Use the earlier result, or read it again: read_output ${source.result.commandId}`;
  return {
    code: 'low-utility',
    category: 'PolicyBlocked',
    message: `Not run, it would tell you nothing new: ${reason}`,
    suggestion,
    visibility: 'visible',
  };
}
