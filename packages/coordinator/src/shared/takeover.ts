import {
  type Clock,
  type CommandRecord,
  type CommandStore,
  type Lease,
  type Logger,
  type Member,
  type MemberId,
  RevisionError,
  type Scheduler,
} from '@signalbox/core';
import { recentAuditLine } from '../audit/audit-log.ts';
import type { AuditLine } from '../audit/audit-line.ts';
import type { CommandRunner } from '../command/command-runner.ts';
import type { SharedWorkspace } from './shared-workspace.ts';

/** What a process ran that has ended on this machine ends within moments. */
const POLL_AGAIN_MS = 1000;
/** While the queue can't be reached. */
const AGAIN_AFTER_MS = 250;

export type Takeover = {
  /**
   * Takes over what dead members led; answers how many commands. Never throws: it is tried again.
   *
   * @param onUnreadable hears of each record that can't be read, and is left where it is
   */
  round(onUnreadable?: (id: string, cause: unknown) => void): Promise<number>;
  /** The lease of a process that is dead, and that nobody else will release. */
  takeOverLease(lease: Lease): Promise<void>;
  stop(): void;
};

type Adopted = { readonly runner: CommandRunner; readonly line: AuditLine | undefined };

/**
 * Takes over what the coordinators led that have died: what had not begun goes on here; what was audited ends as the
 * audit tells; what ran is `lost`, but not before its lease is over and nothing of it can be alive.
 *
 * What we led ourselves and no more, as the backend tells after it has forgotten the last, is taken over the same way.
 *
 * A record is taken over by storing its next revision under our own name, so of several who try one succeeds, and
 * a dead one that wakes up can change it no more.
 */
export function createTakeover(options: {
  readonly shared: SharedWorkspace;
  readonly store: CommandStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Begins to lead that record. `line`: what the audit of its last owner says of its end. */
  readonly lead: (record: CommandRecord, line: AuditLine | undefined) => Promise<CommandRunner>;
  readonly isLed: (id: CommandRecord['id']) => boolean;
  /** Holds its claims although it is over. */
  readonly hold: (id: CommandRecord['id']) => void;
}): Takeover {
  const { shared, store, scheduler, clock, logger, lead } = options;
  const { members } = shared;
  let stopped = false;
  let cancelNext: () => void = () => undefined;
  let adopting: Promise<number> = Promise.resolve(0);
  /** Of which it is not known yet whether they are ours to lead. */
  const inHand = new Set<CommandRecord['id']>();
  // A backend that was away may have forgotten how what we led has ended.
  const unlisten = [members.onDead(() => void round()), members.onRestored(() => void round())];

  function round(onUnreadable = noted): Promise<number> {
    adopting = adopting
      .then(() => takeOverAll(onUnreadable))
      .catch((error: unknown) => {
        logger.warn({ error }, 'commands of dead coordinators not taken over; trying again');
        // The dead may be settled by others meanwhile: then nobody tells us of them again.
        lookAgainIn(POLL_AGAIN_MS);
        return 0;
      });
    return adopting;
  }

  function lookAgainIn(ms: number): void {
    cancelNext();
    if (!stopped) cancelNext = clock.timer(ms, () => void round());
  }

  function noted(id: string, error: unknown): void {
    logger.warn({ commandId: id, error }, 'record of a command not readable');
  }

  async function takeOverAll(onUnreadable: typeof noted): Promise<number> {
    if (stopped) return 0;
    const [living, dead] = await Promise.all([members.living(), members.dead()]);
    const runners = new Set<MemberId | undefined>(living.map(({ id }) => id));
    if (dead.length > 0) await shared.takeBackFiles();
    const unled: CommandRecord[] = [];
    await store.eachUnfinished(async (record) => {
      const { id, owner } = record;
      if ((owner === members.self || !runners.has(owner)) && !options.isLed(id)) unled.push(record);
      return true;
    }, onUnreadable);
    const held = unled.length === 0 ? [] : (await scheduler.snapshot()).leases;
    let adopted = 0;
    const left = new Set<MemberId | undefined>();
    for (const record of unled) {
      const lease = held.find(({ commandId }) => commandId === record.id);
      const owner = dead.find(({ id }) => id === record.owner);
      // Its lease ends by itself, and the scheduler tells one of us.
      if (record.state === 'running' && lease !== undefined && !(await isOver(record, owner)))
        left.add(record.owner);
      else if (await adopt(record, lease)) adopted += 1;
    }
    for (const { id } of dead) if (!left.has(id)) await members.settled(id);
    // Nobody tells us of a lease that came back with what was forgotten: it is looked at when it is over.
    cancelNext();
    const isEnding = (await Promise.all(dead.filter(({ id }) => left.has(id)).map(shared.hasEnded))).includes(
      true,
    );
    const nextMs = isEnding ? POLL_AGAIN_MS : left.has(members.self) ? scheduler.leaseTtlMs : null;
    if (nextMs !== null) lookAgainIn(nextMs);
    return adopted;
  }

  async function isOver({ id }: CommandRecord, owner: Member | undefined): Promise<boolean> {
    return owner !== undefined && (await shared.hasEnded(owner)) && shared.isOver(id, owner);
  }

  async function take(record: CommandRecord): Promise<CommandRecord | null> {
    const taken = { ...record, owner: members.self, revision: record.revision + 1 };
    try {
      await store.commit(taken, []);
      return taken;
    } catch (error) {
      if (error instanceof RevisionError) return null;
      throw error;
    }
  }

  async function adopt(record: CommandRecord, lease: Lease | undefined): Promise<boolean> {
    if (inHand.has(record.id)) return false;
    inHand.add(record.id);
    try {
      return await takeOverOne(record, lease);
    } finally {
      inHand.delete(record.id);
    }
  }

  async function takeOverOne(record: CommandRecord, lease: Lease | undefined): Promise<boolean> {
    const taken = await take(record);
    if (taken === null) return false;
    const { runner, line } = await leadOn(taken, record.owner);
    logger.info({ commandId: record.id, from: record.owner, state: record.state }, 'command taken over');
    if (record.state === 'running' || line !== undefined) {
      await runner.unled();
      if (lease !== undefined) await scheduler.release(lease.leaseId);
      return true;
    }
    // Granted to the dead one, who had not begun; or still in the queue for it.
    while (!(await isTakenOut(record.id, lease))) await pause();
    if (!stopped) runner.resume();
    return true;
  }

  /** False while the queue can't be reached: we lead the command by now, and nobody else makes it go on. */
  async function isTakenOut(id: CommandRecord['id'], lease: Lease | undefined): Promise<boolean> {
    if (stopped) return true;
    try {
      await takeOut(id, lease);
      return true;
    } catch (error) {
      logger.warn({ commandId: id, error }, 'command taken over, and not out of its queue; trying again');
      return false;
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => void clock.timer(AGAIN_AFTER_MS, resolve));
  }

  /** Between our look at the leases and now it may have been granted to the dead one, and is in the queue no more. */
  async function takeOut(id: CommandRecord['id'], lease: Lease | undefined): Promise<void> {
    if (lease !== undefined) return scheduler.release(lease.leaseId);
    if (await scheduler.cancel(id)) return;
    const { leases } = await scheduler.snapshot();
    const granted = leases.find(({ commandId }) => commandId === id);
    if (granted !== undefined) await scheduler.release(granted.leaseId);
  }

  async function leadOn(record: CommandRecord, owner: MemberId | undefined): Promise<Adopted> {
    const line = owner === undefined ? undefined : recentAuditLine(shared.auditFileOf(owner), record.id);
    return { line, runner: await lead(record, line) };
  }

  async function takeOverLease(lease: Lease): Promise<void> {
    await shared.takeBackFiles();
    const record = await store.get(lease.commandId);
    if (record?.result?.rollback === 'rollback_failed') return options.hold(record.id);
    if (record === null || record.state === 'done') return scheduler.release(lease.leaseId);
    // Whoever stored it meanwhile leads it, and what it left is his to release; a lease of the dead one is not.
    if (!(await adopt(record, lease))) await scheduler.release(lease.leaseId);
  }

  /** Nobody tells of that lease again, and a round leaves it to us. */
  async function takeLastLeases(lease: Lease): Promise<void> {
    if (stopped) return;
    await takeOverLease(lease).catch((error: unknown) => {
      logger.error(
        { commandId: lease.commandId, error },
        'lease of a dead coordinator not settled; trying again',
      );
      clock.timer(POLL_AGAIN_MS, () => void takeLastLeases(lease));
    });
  }

  return {
    round,
    takeOverLease: takeLastLeases,
    stop() {
      stopped = true;
      cancelNext();
      for (const end of unlisten) end();
    },
  };
}
