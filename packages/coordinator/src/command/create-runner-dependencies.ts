import {
  type ApprovalBase,
  type CommandId,
  type CommandRecord,
  type ReadHashes,
  redactedQuestion,
  type SessionId,
} from '@signalbox/core';
import { baseOf, changedBetween } from '../approval/approval-base.ts';
import { shownFiles } from '../approval/shown-files.ts';
import { isOfCall } from '../approval/call-hash.ts';
import { newQuestion } from '../approval/new-question.ts';
import type { LateAnswers } from '../approval/late-answers.ts';
import type { AuditLine } from '../audit/audit-line.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Coordinator } from '../coordinator-api.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { createChangedSinceRead } from '../execution/changed-since-read.ts';
import { createEarlierChanges } from '../execution/earlier-changes.ts';
import { createRecentChanges } from '../execution/recent-changes.ts';
import { argsAsSent } from '../judging/args-as-sent.ts';
import { createDenials } from '../judging/confinement-of.ts';
import { judgeCall, questionOf } from '../judging/judge-call.ts';
import { createCountedCalls } from '../judging/counted-calls.ts';
import { createJudgedVersions } from '../judging/judged-versions.ts';
import { createCallChecks } from '../gates/create-call-checks.ts';
import { createReflection } from '../judging/reflection.ts';
import { createRefusedEffects } from '../judging/refused-effects.ts';
import { createLearnedWrites } from '../judging/learned-writes.ts';
import { createRepeatGate } from '../judging/repeat-gate.ts';
import { withModeReason } from '../judging/with-mode-reason.ts';
import { claimsOfCall } from '../judging/transaction-facts.ts';
import type { ModeService } from '../mode/mode-service.ts';
import type { Offers } from '../offer/create-offers.ts';
import { createPreviews } from '../preview/previews.ts';
import type { RetryBudgets } from '../retry/retry-budgets.ts';
import type { StuckCommands } from '../monitor/stuck-commands.ts';
import type { ShownOutputs } from '../output/shown-outputs.ts';
import type { ResultCache } from '../reuse/kept-results.ts';
import { createResultReuse } from '../reuse/result-cache.ts';
import { createAuditOnce } from './audit-once.ts';
import { createUntrustedOf } from '../untrusted/untrusted-of.ts';
import { createFilterOf } from './filter-of.ts';
import { deniedNow } from './outcome/denied-now.ts';
import type { RunnerDependencies } from './runner-dependencies.ts';
import { createPrecheck, type EarlierCommand } from './precheck/precheck.ts';
import { refusals } from './outcome/refusals.ts';
import { createStart } from './start-execution.ts';

/** Builds the dependencies of command runners from a coordinator's parts. */
export function createRunnerDependencies(
  options: CoordinatorOptions,
  own: {
    readonly modes: ModeService;
    readonly audit: AuditLog;
    readonly offers: Pick<Offers, 'gated' | 'noteRan' | 'find'>;
    readonly readHashesOf: (session: SessionId) => ReadHashes;
    readonly restoreReadHashes: (session: SessionId) => Promise<void>;
    readonly shownOutputs: ShownOutputs;
    readonly stuck: StuckCommands;
    /** Commands that were submitted before it. */
    readonly before: (record: CommandRecord) => Iterable<EarlierCommand>;
    readonly late: LateAnswers;
    readonly retryBudgets: RetryBudgets;
    readonly gone: (id: CommandId) => void;
    readonly collapsed: RunnerDependencies['collapsed'];
    /** The audit line by the coordinator that led it before. */
    readonly auditedBefore: (id: CommandId) => AuditLine | undefined;
    readonly confirmOwn: RunnerDependencies['confirmOwn'];
    readonly resultElsewhere: RunnerDependencies['resultElsewhere'];
  },
): RunnerDependencies & { readonly resultCache: ResultCache } & Pick<Coordinator, 'changedSinceRead'> {
  const { policy, redactor, settings, clock, logger, counters, scheduler } = options;
  const { modes, audit } = own;
  const redact = { text: redactor.redact, json: redactor.redactJson };
  const judgeParts = { ...options, redact };
  const { hashUnder, judgedBy } = createJudgedVersions(judgeParts);
  const repeats = createCountedCalls({
    ...options,
    gate: createRepeatGate(clock),
    limits: settings.tools.repeated_calls,
  });
  const changes = createChangedSinceRead({
    files: options.files,
    readHashesOf: own.readHashesOf,
    isShared: options.shared !== undefined,
  });
  const refused = createRefusedEffects(options);
  const denialOf = createDenials({ workspace: options.workspace, home: options.home });
  const learned = createLearnedWrites(options);
  const checks = createCallChecks(options, { before: own.before, denialOf, redact: redact.text });
  const { gates } = checks;
  const reuse = createResultReuse({ ...options, ...own }, own.before);
  const reflection = createReflection();
  const auditing = createAuditOnce(options, { audit, modes, redact, auditLineOf });

  /** Names go into records, events and screens, so they are redacted, in the same way each time. */
  async function baseNow(record: CommandRecord): Promise<ApprovalBase> {
    const shown = shownFiles(record, { ...options, tool: options.tools.get(record.call.tool) });
    const base = await baseOf({ effects: [...(record.verdict?.effects ?? []), ...shown] }, options.files);
    return {
      files: base.files.map(({ path, state }) => ({ path: redact.text(path), state })),
      unbound: base.unbound.map(redact.text),
      ...(base.unboundCode === undefined ? {} : { unboundCode: base.unboundCode.map(redact.text) }),
    };
  }

  async function changedSince(record: CommandRecord, base: ApprovalBase): Promise<readonly string[]> {
    return changedBetween(base, await baseNow(record));
  }

  function auditLineOf(id: CommandId): AuditLine | undefined {
    return audit.findRecent(id) ?? own.auditedBefore(id);
  }

  async function judgeAgain(record: CommandRecord): ReturnType<RunnerDependencies['judgeAgain']> {
    const tool = options.tools.get(record.call.tool);
    if (tool === undefined) return { ruling: deniedNow('its tool is gone') };
    if (!audit.flush()) return { ruling: deniedNow('the audit log cannot be written') };
    const version = judgedBy(record);
    if (version === undefined) {
      return {
        ruling: deniedNow('the policy, the configuration or its tool changed since it was checked'),
      };
    }
    const outdated = gates.outdated(record);
    if (outdated !== undefined) {
      return { ruling: deniedNow(`the ${outdated} gate has not judged it under its current settings`) };
    }
    await refused.loaded;
    const state = await modes.current();
    const now = policy.rule(questionOf(tool, record, { ...options, mode: state.mode }));
    const ruling = refused.rule(record, withModeReason(now, state));
    const { approval } = record;
    if (ruling.kind !== 'ask' || approval?.status !== 'granted') return { ruling };
    const isEnough = approval.grants.length >= ruling.approvers;
    if (version !== policy.version || !isOfCall(approval, record) || !isEnough) {
      return { ruling, why: { because: 'policy', paths: [] } };
    }
    const paths = await changedSince(record, approval.base);
    if (paths.length > 0) return { ruling, why: { because: 'files', paths } };
    const { rule, source, reason } = ruling;
    return { ruling: { kind: 'allow', rule, source, reason } };
  }

  return {
    ...refusals,
    previews: createPreviews(options),
    store: options.store,
    scheduler,
    clock,
    pid: options.host.pid,
    logger,
    redact,
    async judge(call, context) {
      // A store that can't be asked for the mode would look like LOCKDOWN: report its absence instead.
      if (options.shared !== undefined) await options.facts.get('mode');
      // What can't be recorded must not run.
      if (!audit.flush()) {
        const title = redact.text(call.tool.slice(0, 64));
        return { kind: 'rejected', title, args: argsAsSent(call.args), outcome: refusals.auditUnavailable() };
      }
      await Promise.all([learned.loaded, refused.loaded]);
      const state = await modes.current();
      const circumstances = { context, mode: state.mode };
      const judgement = await own.offers.gated(judgeCall(call, circumstances, judgeParts), context);
      if (judgement.kind === 'rejected') return judgement;
      const { judged, ruling } = judgement;
      return {
        ...judgement,
        ruling: refused.rule(
          { call: judged.call, context, verdict: judged.verdict },
          withModeReason(ruling, state),
        ),
      };
    },

    judgeAgain,

    ...checks,

    ...repeats,

    repeatLimits: settings.tools.repeated_calls,

    async ran(record, result) {
      changes.note(
        record,
        result.files.filter(({ kind }) => kind !== 'read'),
      );
      repeats.noteRun(record, result);
      own.offers.noteRan(record, result.success);
      const reported = await changes.notesFor(record.context);
      return reported.map(redact.text);
    },

    hashNow: (record) => hashUnder(record, policy.version),

    async takeCounters({ question, judged }) {
      for (const take of policy.limits(question)) {
        const answer = await counters.take(take);
        if (answer.kind === 'taken') continue;
        logger.info({ title: judged.title, key: take.key }, 'limit reached');
        return refusals.overLimit(take, answer.retryAfterMs);
      }
      return undefined;
    },

    precheck: createPrecheck({ ...options, ...own, denialOf }),

    async ask(record, asked) {
      const base = await baseNow(record);
      const at = clock.now();
      const question = redactedQuestion(record.call, redact.text);
      return newQuestion(record, { ...asked, base, at, question, expiryMs: settings.approval.expiry });
    },

    changedSince,

    changedSinceRead: createEarlierChanges({ ...options, ...own, changes, redact: redact.text }),

    pausesOnExpiry: settings.approval.on_expiry === 'pause',

    async takeLate({ context }, { callHash, approvers }) {
      if (settings.approval.on_expiry !== 'pause') return undefined;
      return own.late.take({ callHash, provider: context.provider, approvers });
    },

    claimsOf(record) {
      const tool = options.tools.get(record.call.tool);
      if (tool === undefined || record.verdict === null) return record.claims;
      const claims = claimsOfCall(record.verdict, tool, judgeParts);
      return options.transactional ? [...claims, ...learned.of(record, tool)] : claims;
    },

    answered: refused,

    changedUnderneath: createRecentChanges(),

    ...createFilterOf(options),
    untrustedOf: createUntrustedOf(options),
    ...reuse.ofRunners,

    resultCache: reuse.cache,

    execute: createStart(options, {
      ...own,
      denialOf,
      redact: redact.text,
      isJudged: (record) => judgedBy(record) !== undefined,
      auditLineOf,
      changes,
      refused,
      isStillAllowed: async (record) => (await judgeAgain(record)).ruling.kind === 'allow',
      learned,
      ...reuse,
    }),

    audit: auditing.audit,

    confirmOwn: own.confirmOwn,

    resultElsewhere: own.resultElsewhere,

    auditedOutcome: auditing.auditedOutcome,

    withoutSecrets(record) {
      return {
        ...record,
        call: { ...record.call, args: redactor.redactJson(record.call.args) as typeof record.call.args },
      };
    },

    async stuck(record, release) {
      logger.error({ commandId: record.id }, 'roll-back failed; its claims stay held');
      await own.stuck.add(record, release);
      await modes.degrade(`${record.id} is partly applied and could not be rolled back`);
    },

    reflect: ({ context, call }, outcome) => reflection.note(context, { outcome, tool: call.tool }),

    collapsed: own.collapsed,

    gone(id) {
      auditing.forget(id);
      gates.turns.leave(id);
      own.gone(id);
    },
  };
}
