import {
  CallContext,
  type CommandId,
  type CommandRecord,
  createId,
  createReadings,
  publishedStatus,
  type RawCall,
  type Readings,
  type SessionId,
} from '@signalbox/core';
import { createApprovalDesk } from './approval-desk.ts';
import { openAuditLog } from './audit/audit-log.ts';
import type { CommandLife } from './command/command-life.ts';
import { createCommandLife } from './command/command-life.ts';
import { createLifeParts } from './command/create-life-parts.ts';
import type { Coordinator, Submitted } from './coordinator-api.ts';
import type { CoordinatorOptions } from './coordinator-options.ts';
import { answerLetter } from './answer-letter.ts';
import { serveMailbox } from './mailbox.ts';
import { createModeDesk } from './mode-desk.ts';
import { createMonitor } from './monitor.ts';
import { restoreReadings } from './restore-readings.ts';

/** Rotating the history costs a little, so it is done once in so many endings. */
const ROTATE_EVERY = 100;

/**
 * Opens the house: takes in what an earlier process left behind, then calls.
 *
 * Of the commands that are not done, those that had not started go on, pending approvals stay pending, and
 * one found running is settled `lost`: it is never run again.
 */
export async function createCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const { store, events, scheduler, clock, random, logger, settings, host } = options;
  const audit = openAuditLog(options.auditFile, logger, clock.now);
  const modes = createModeDesk({ facts: options.facts, events, clock, initial: settings.mode });
  const lives = new Map<CommandId, CommandLife>();
  const readings = new Map<SessionId, Readings>();
  let endings = 0;
  let closing = false;

  const parts = createLifeParts(options, {
    modes,
    audit,
    readingsOf,
    gone(id) {
      lives.delete(id);
      endings += 1;
      if (endings % ROTATE_EVERY === 0) void rotate();
    },
  });

  function readingsOf(session: SessionId): Readings {
    const known = readings.get(session) ?? createReadings();
    readings.set(session, known);
    return known;
  }

  async function rotate(): Promise<void> {
    await store.rotate(settings.execution.execution_history_limit).catch((error: unknown) => {
      logger.warn({ error }, 'history not rotated');
    });
  }

  function live(record: CommandRecord): CommandLife {
    const life = createCommandLife(record, parts);
    lives.set(record.id, life);
    return life;
  }

  scheduler.listen({
    granted(lease) {
      const life = lives.get(lease.commandId);
      if (life === undefined) void scheduler.release(lease.leaseId);
      else life.leaseGranted(lease);
    },
    stale: (id, waitedMs) => lives.get(id)?.waitedTooLong(waitedMs),
    lost: (lease) => lives.get(lease.commandId)?.leaseLost(),
  });

  async function recover(): Promise<number> {
    const unfinished = await store.unfinished();
    for (const record of unfinished) {
      const { sessionId } = record.context;
      if (!readings.has(sessionId)) readings.set(sessionId, await restoreReadings(store, sessionId));
      const life = live(record);
      if (record.state === 'running') await life.orphan();
      else life.resume();
    }
    return unfinished.length;
  }

  const recovered = await recover();
  await rotate();
  await events.append([{ type: 'coordinator_started', host: host.name, pid: host.pid, recovered }]);

  function submit(call: RawCall, context: Parameters<Coordinator['submit']>[1]): Submitted {
    const record = newRecord(createId('command', random), call, CallContext.parse(context), clock.now());
    const life = live(record);
    if (closing) void life.cancel('signalbox', 'Signalbox is stopping');
    else life.begin(call);
    return {
      commandId: record.id,
      get status() {
        return publishedStatus(life.record());
      },
      resting: life.resting,
      result: life.result,
    };
  }

  const coordinator: Coordinator = {
    submit,
    status: async (id) => lives.get(id)?.record() ?? store.get(id),
    list: (filter) => store.list(filter),
    async output(id) {
      const result = (await store.get(id))?.result;
      if (result === null || result === undefined) return null;
      const { stdout, stderr, truncated, spillFiles } = result;
      return { stdout, stderr, truncated, spillFiles };
    },
    async cancel(id, by, reason = 'no reason given') {
      const life = lives.get(id);
      if (life !== undefined) return life.cancel(by, reason);
      const record = await store.get(id);
      return record === null ? { kind: 'unknown' } : { kind: 'already-done', record };
    },
    queue: () => scheduler.snapshot(),
    approvals: createApprovalDesk({ store, lifeOf: (id) => lives.get(id), judge: parts.judge }),
    monitor: createMonitor(store, settings.execution.execution_history_limit),
    tools: options.tools,
    mode: modes.current,
    setMode: modes.set,
    async close() {
      closing = true;
      await mailbox.stop();
      await Promise.all([...lives.values()].map((life) => life.stop()));
      await events.append([{ type: 'coordinator_stopped', host: host.name, pid: host.pid }]);
      audit.close();
    },
  };
  const mailbox = serveMailbox(options.facts, clock, (letter) => answerLetter(letter, coordinator));
  return coordinator;
}

function newRecord(id: CommandId, call: RawCall, context: CallContext, submittedAt: number): CommandRecord {
  return {
    id,
    revision: 0,
    state: 'submitted',
    call: { callId: call.callId, tool: call.tool, args: {} },
    context,
    title: call.tool.slice(0, 64),
    callHash: null,
    verdict: null,
    ruling: null,
    approval: null,
    claims: [],
    lease: null,
    submittedAt,
    approvedAt: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    result: null,
  };
}
