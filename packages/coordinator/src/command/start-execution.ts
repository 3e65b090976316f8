import {
  type CommandId,
  type CommandRecord,
  type EventLog,
  InvariantError,
  type Logger,
  type NetworkUse,
  type ProviderId,
  type ReadHashes,
  type SessionId,
  type Tool,
  ToolFailure,
} from '@signalbox/core';
import type { AuditLine } from '../audit/audit-line.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import type { ChangedSinceRead } from '../execution/changed-since-read.ts';
import { createLiveOutput } from '../execution/live-output.ts';
import { readHashesOfCall } from '../execution/read-hashes-of-call.ts';
import { createSessionCommits } from '../execution/session-commits.ts';
import { createOutsideEdits } from '../execution/outside-edits.ts';
import { createUndeclaredRates } from '../execution/undeclared-rates.ts';
import { judgeWrites, questionOnChanges } from '../execution/judge-writes.ts';
import { sizedFiles } from '../execution/sized-files.ts';
import type { createDenials } from '../judging/confinement-of.ts';
import { confinementOfRecord } from '../judging/confinement-of-record.ts';
import type { LearnedWrites } from '../judging/learned-writes.ts';
import { questionOf } from '../judging/judge-call.ts';
import type { RefusedEffects } from '../judging/refused-effects.ts';
import type { ReadReuse } from '../reuse/read-reuse.ts';
import type { RunReuse } from '../reuse/run-reuse.ts';
import type { Offers } from '../offer/create-offers.ts';
import { createOwnOutputs } from '../output/own-outputs.ts';
import type { ShownOutputs } from '../output/shown-outputs.ts';
import type { RetryBudgets } from '../retry/retry-budgets.ts';
import { retryPolicyOf } from '../retry/retry-delay.ts';
import { executeCall } from './running/execute-call.ts';
import { explainMissing } from './running/explain-missing.ts';
import type { RunnerDependencies } from './runner-dependencies.ts';

/** Starts the execution of a command that holds its lease, confined as settings and its call require. */
export function createStart(
  options: CoordinatorOptions,
  parts: {
    readonly readHashesOf: (session: SessionId) => ReadHashes;
    readonly shownOutputs: ShownOutputs;
    readonly denialOf: ReturnType<typeof createDenials>;
    readonly redact: (text: string) => string;
    /** Whether tool, arguments and policy are still those it was judged with. */
    readonly isJudged: (record: CommandRecord) => boolean;
    readonly auditLineOf: (id: CommandId) => AuditLine | undefined;
    readonly changes: Pick<ChangedSinceRead, 'note'>;
    readonly refused: Pick<RefusedEffects, 'withheldOf'>;
    /** Whether it would now run without approval, by the policy and the files that its approval is bound to. */
    readonly isStillAllowed: (record: CommandRecord) => Promise<boolean>;
    readonly learned: LearnedWrites;
    readonly runs: RunReuse;
    readonly reads: Pick<ReadReuse, 'keeping'>;
    readonly offers: Pick<Offers, 'find'>;
    readonly retryBudgets: RetryBudgets;
  },
): RunnerDependencies['execute'] {
  const { policy, redactor, settings, clock, logger } = options;
  const { shell } = settings.tools;
  const commits = createSessionCommits(options);
  const connectionEvents = createConnectionEvents({ ...options, redact: parts.redact });
  return (record, hold) => {
    const tool = options.tools.get(record.call.tool);
    if (tool === undefined)
      throw new InvariantError(`Cannot execute ${record.id}: tool "${record.call.tool}" is gone`);
    const { provider, sessionId } = record.context;
    commits.note(sessionId);
    const { denyRead, ...confinement } = confinementOfRecord(record, tool, options);
    const isDenied = parts.denialOf(denyRead);
    const output = createLiveOutput({
      commandId: record.id,
      provider,
      events: options.events,
      clock,
      logger,
      redacted: redactor.stream,
    });
    const takeRates = createUndeclaredRates(options);
    const edits = createOutsideEdits({ ...options, record, isStable: settings.isolation === 'stable' });
    const call = executeCall({
      ...options,
      record,
      files: sizedFiles(options.files, tool, policy),
      tool: parts.reads.keeping(
        asJudged(tool, () => parts.isJudged(record)),
        record,
      ),
      hold,
      output,
      readHashes: readHashesOfCall(parts.readHashesOf(record.context.sessionId), record.submittedAt),
      staleWrite: settings.files.stale_write,
      outputs: createOwnOutputs(record.context, {
        recordOf: options.store.get,
        auditedOf: parts.auditLineOf,
        shown: parts.shownOutputs,
      }),
      findTools: (words) => parts.offers.find(words, record.context),
      env: settings.sandbox.env_vars,
      ...confinement,
      isDenied,
      deniedPatterns: denyRead,
      onConnection: connectionEvents({ id: record.id, provider }),
      async judgeWrites(changes) {
        await edits.editedPaths();
        // From here on others may see these changes, before the command has ended.
        parts.changes.note(record, changes);
        const named = options.namedFiles?.(changes.map(({ path }) => path));
        const isGranted = record.approval?.status === 'granted';
        const question = questionOf(tool, record, { ...options, mode: settings.mode });
        const judged = await judgeWrites(changes, {
          policy,
          question,
          isGranted,
          redact: parts.redact,
          named,
          brought: await commits.broughtBy(sessionId, changes, named),
        });
        const refused = isGranted ? [] : parts.refused.withheldOf(record, changes);
        const withheld = [...judged.withheld, ...refused];
        const isPut = judged.denied.length + withheld.length === 0;
        const overRate = isPut ? await takeRates(question, questionOnChanges(changes, question)) : [];
        return { denied: [...judged.denied, ...overRate], withheld };
      },
      // Only where there is a bound: a worker of an earlier version refuses what it does not know.
      replacesAnySize: provider === 'you' && shell.max_snapshot_bytes > 0,
      reruns: {
        maxReruns: shell.on_conflict === 'rerun' ? shell.max_reruns : 0,
        isStillAllowed: () => parts.isStillAllowed(record),
        learn: (claims) => parts.learned.learn(record, tool, { claims }),
      },
      runOnce: parts.runs.of(record, tool, { ...confinement, denyRead }),
      retry: {
        policy: retryPolicyOf(settings),
        // Tasks of agents are unknown here.
        budget: parts.retryBudgets.of(record.context.identity === 'provider' ? record.id : sessionId),
        random: options.random,
      },
    });
    const explained = explainMissing(call, {
      ...options,
      record,
      tool,
      isDenied: isDenied ?? (() => false),
      normalise: options.files.normalise,
    });
    return { call: explained, output, edits };
  };
}

/**
 * The tool as it was when its call was judged. If its server redefined it between the last check of the call and its
 * start, it does nothing.
 */
function asJudged(tool: Tool, isJudged: () => boolean): Tool {
  if (tool.definition === undefined || isJudged()) return tool;
  const refuse: Tool['handle'] = () =>
    Promise.reject(
      new ToolFailure({
        code: 'tool-changed',
        category: 'PolicyBlocked',
        message: `Cannot call ${tool.name}: its server changed the tool's description while the call was waiting`,
        suggestion: 'Read its description again; a new call is checked against that',
      }),
    );
  return { ...tool, handle: refuse };
}

/**
 * Publishes a command's connections as they are made. If the event log can't take one, it is lost; the command never
 * fails for it.
 */
function createConnectionEvents(options: {
  readonly events: EventLog;
  readonly logger: Logger;
  /** Removes secrets from the target named by a command. */
  readonly redact: (text: string) => string;
}): (command: { readonly id: CommandId; readonly provider: ProviderId }) => (use: NetworkUse) => void {
  const { events, logger, redact } = options;

  return ({ id: commandId, provider }) =>
    ({ outcome, ...use }) => {
      const target = redact(use.target);
      const why = use.why === null ? null : redact(use.why);
      logger.info({ commandId, target, outcome, why }, 'network connection');
      events
        .append([{ type: 'network_connection', commandId, provider, target, outcome, why }])
        .catch((error: unknown) => logger.warn({ commandId, error }, 'connection not published'));
    };
}
