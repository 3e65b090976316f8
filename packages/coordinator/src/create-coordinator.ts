import {
  CallContext,
  type CommandId,
  type CommandRecord,
  createId,
  publishedStatus,
  type RawCall,
  stripThoughts,
  UnavailableError,
} from '@signalbox/core';
import { createApprovalService } from './approval/approval-service.ts';
import { createLateAnswers } from './approval/late-answers.ts';
import { createSessionRuleService } from './approval/session-rule-service.ts';
import { createSessionRules } from './approval/session-rules.ts';
import { openCheckedLog } from './audit/open-checked-log.ts';
import { findForgotten } from './audit/forgotten.ts';
import { type CommandRunner, createCommandRunner } from './command/command-runner.ts';
import { runnersBefore } from './command/runners-before.ts';
import { listenToScheduler } from './command/listen-to-scheduler.ts';
import { createRunnerDependencies } from './command/create-runner-dependencies.ts';
import type { Coordinator, Submitted } from './coordinator-api.ts';
import type { CoordinatorOptions } from './coordinator-options.ts';
import { logToolCalls } from './execution/log-tool-calls.ts';
import { createSessionReadHashes } from './execution/session-read-hashes.ts';
import { createHistoryRotation } from './history-rotation.ts';
import { argsAsSent } from './judging/args-as-sent.ts';
import { leadMode } from './mode/lead-mode.ts';
import { createModeService } from './mode/mode-service.ts';
import { createMonitor } from './monitor/monitor.ts';
import { createShown } from './monitor/shown-state.ts';
import { createStuckCommands, forgetStuckCommands } from './monitor/stuck-commands.ts';
import { newRecord } from './new-record.ts';
import { createOffers } from './offer/create-offers.ts';
import { createShownOutputs } from './output/shown-outputs.ts';
import { createEarlierResults } from './recovery/earlier-results.ts';
import { startRecovery } from './recovery/recovery.ts';
import { startRoot } from './actors/start-root.ts';
import { createCancel } from './create-cancel.ts';
import { createRetryBudgets } from './retry/retry-budgets.ts';
import { createPrioritize } from './prioritize.ts';
import { answerMessages } from './shared/answer-messages.ts';
import { joinOthers } from './shared/join-group.ts';
import { createSessionRequests } from './shared/session-requests.ts';

/** How long closing waits for final commits if the store is unreachable. */
const CLOSE_WITHIN_MS = 5000;

/**
 * Opens the coordinator: recovers what an earlier process left, then accepts calls.
 *
 * Of the unfinished commands, those that had not started continue, pending approvals stay pending, and a running one is
 * settled `lost`: it is never run again.
 */
export async function createCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const { events, scheduler, clock, random, logger, settings, host, shared } = options;
  const others = shared === undefined ? undefined : joinOthers(options, shared);
  const store = others?.store ?? options.store;
  const shown = createShown({ ...options, store });
  const { audit, troubles } = await openCheckedLog({ ...options, store });
  const modes = createModeService({ ...options, initial: settings.mode, nodes: shared?.members });
  const sessionRules = createSessionRules({ ...options, members: shared?.members });
  const stuck = createStuckCommands(options);
  const late = createLateAnswers(options.facts, clock);
  const retryBudgets = createRetryBudgets();
  /** Commands of dead processes that were taken over with their leases. */
  const inherited = new Set<CommandId>();
  const shownOutputs = createShownOutputs(options.redactor);
  const readHashes = createSessionReadHashes(store, clock);
  const rotation = createHistoryRotation({ ...options, store });
  const conditions = { ...options.conditions, audit: async () => audit.problem() };
  const stopped = Promise.withResolvers<void>();
  const root = startRoot({
    ...options,
    redact: options.redactor.redact,
    mode: shown.mode,
    modeWatch: leadMode({ ...options, modes, conditions }),
    members: shared?.members,
    leave: () => others?.stop(),
    stop: () => stopped.resolve(close()),
  });
  const { runners } = root.commands;

  const offers = createOffers({ ...options, store, redact: options.redactor.redact }, modes);
  const parts = createRunnerDependencies(
    { ...options, store },
    {
      modes,
      audit,
      offers,
      readHashesOf: readHashes.of,
      restoreReadHashes: readHashes.restore,
      shownOutputs,
      stuck,
      before: ({ id }) => runnersBefore(id, runners),
      late,
      retryBudgets,
      auditedBefore: (id) => others?.auditedBefore(id),
      confirmOwn: async (record) => others?.store.confirmOwn(record),
      resultElsewhere: others?.resultElsewhere,
      collapsed: root.commands.collapsed,
      gone(id) {
        rotation.onEnded(runners.get(id)?.record().context.sessionId);
        root.commands.remove(id);
        others?.noteEnded(id);
      },
    },
  );
  const runnerParts = { ...parts, stepped: root.commands.stepped };
  const takeover = others?.takeOver({ lead, runners, hold: (id) => inherited.add(id), scheduler });

  function live(record: CommandRecord): CommandRunner {
    return root.commands.lead(record, () => createCommandRunner(record, runnerParts));
  }

  listenToScheduler({
    scheduler,
    logger,
    runners,
    isHeld: (id) => stuck.has(id) || inherited.has(id),
    takeover,
  });

  /** Leads a command that another process led before. */
  async function lead(record: CommandRecord): Promise<CommandRunner> {
    await readHashes.restore(record.context.sessionId);
    return live(record);
  }

  async function takeUp(record: CommandRecord): Promise<void> {
    const runner = await lead(record);
    if (record.state === 'running' || parts.auditedOutcome(record.id) !== undefined) await runner.unled();
    else runner.resume();
  }

  /** The runner of a command, once it is known whether this coordinator leads it. */
  async function ledRunner(id: CommandId): Promise<CommandRunner | undefined> {
    if (!runners.has(id)) await recovery.ready();
    return runners.get(id);
  }

  const stopLogging = settings.monitoring.log_all_commands
    ? logToolCalls({ ...options, recordOf: (id) => runners.get(id)?.record(), isLed: others?.isLed })
    : () => undefined;
  if (shared === undefined) await forgetStuckCommands(options.facts);
  const recovery = await startRecovery({
    store,
    events,
    logger,
    takeUp,
    takeOver: takeover?.round,
    onOver: () => root.send('recovery.ended'),
    onProgress: options.onRecovery,
    async complete(recovered) {
      await rotation.now();
      await events.append([{ type: 'coordinator_started', host: host.name, pid: host.pid, recovered }]);
    },
  });

  function accept(sent: RawCall, { context, id = createId('command', random) }: Accepted): Submitted {
    const call = { ...sent, args: stripThoughts(sent.args).args };
    if (root.is('closed'))
      throw new UnavailableError('stopped', `Cannot take call "${call.callId}": Signalbox has stopped`);
    // A name that belongs to no tool is untrusted text from the model.
    const tool = options.tools.get(call.tool)?.name ?? options.redactor.redact(call.tool.slice(0, 64));
    const record = newRecord({
      id,
      owner: others?.self,
      call: { callId: call.callId, tool, args: argsAsSent(call.args) },
      context: CallContext.parse(context),
      submittedAt: clock.now(),
    });
    const runner = live(record);
    const begin = (): void => {
      if (root.is('open')) runner.begin(call);
      else void runner.cancel('signalbox', { reason: 'Signalbox is stopping' });
    };
    // Commands from before the restart precede it in the queue too.
    if (root.is({ open: 'recovering' })) void recovery.ready().then(begin);
    else begin();
    return {
      commandId: record.id,
      get status() {
        return publishedStatus(runner.record());
      },
      get record() {
        return runner.record();
      },
      resting: runner.resting,
      result: runner.result,
    };
  }

  const sessions = createSessionRequests(options.ownSessions, others?.leaders);
  const coordinator: Coordinator = {
    submit: (call, context) => accept(call, { context }),
    submitAs: accept,
    earlierResult: createEarlierResults({ store, ledRunner, resultElsewhere: others?.resultElsewhere }),
    changedSinceRead: parts.changedSinceRead,
    status: async (id) => (await shown.store.get(id)) ?? runners.get(id)?.record() ?? null,
    list: (filter) => shown.store.list(filter),
    forgotten: (prefix) => findForgotten(options, prefix),
    async output(id) {
      const result = (await shown.store.get(id))?.result ?? null;
      if (result === null) return null;
      const { stdout, stderr, truncated, spillFiles } = result;
      return { stdout, stderr, truncated, spillFiles };
    },
    shownOutputs,
    cancel: createCancel({ store, ledRunner, leaders: others?.leaders }),
    prioritize: createPrioritize(options),
    stopSession: sessions.stop,
    sayToSession: sessions.say,
    compressSession: sessions.compress,
    queue: shown.queue,
    approvals: createApprovalService({
      ...parts,
      store,
      reported: shown.store,
      runnerOf: (id) => runners.get(id),
      ledRunner,
      leaders: others?.leaders,
      stopSession: sessions.stop,
      late: settings.approval.on_expiry === 'pause' ? late : undefined,
    }),
    sessionRules: createSessionRuleService({ sessionRules, store, ledRunner, leaders: others?.leaders }),
    monitor: createMonitor(shown.store, settings.execution.execution_history_limit, options.policy),
    resultCache: parts.resultCache,
    tools: options.tools,
    offers,
    mode: shown.mode,
    setMode: modes.set,
    policyChanged(source) {
      root.reportSource({ type: 'source.changed', source, at: clock.now() });
      for (const runner of runners.values()) runner.askAgain();
    },
    recovery,
    troubles,
    retryBudgetOf: retryBudgets.of,
    ...root.shown,
    close() {
      root.send('close.requested');
      return stopped.promise;
    },
  };
  const messages = answerMessages(coordinator, {
    ...options,
    of: shared?.members.self,
    removeRule: sessionRules.remove,
  });
  return coordinator;

  async function close(): Promise<void> {
    const cancel = clock.timer(CLOSE_WITHIN_MS, () => others?.giveUpWaiting());
    await stopAll().finally(() => {
      cancel();
      others?.giveUpWaiting();
      audit.close();
      root.send('parts.stopped');
    });
  }

  async function stopAll(): Promise<void> {
    await messages.stop();
    sessionRules.stop();
    stuck.stop();
    await recovery.stop();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
    await options.inspector.idle();
    root.send('parts.stopped');
    stopLogging();
    parts.utility?.close();
    await events.append([{ type: 'coordinator_stopped', host: host.name, pid: host.pid }]);
  }
}

/** How a call is accepted: under an id of the caller's, or a new one. */
type Accepted = Readonly<{ context: Parameters<Coordinator['submit']>[1]; id?: CommandId }>;
