import type { CommandId, CommandRecord, CommandResult, Lease, Scheduler } from '@signalbox/core';
import type { AuditLine } from '../audit/audit-line.ts';
import type { CommandRunner } from '../command/command-runner.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { type Takeover, createTakeover } from './takeover.ts';
import { createLeaders, type Leaders } from './leaders.ts';
import { createRetryingStore, type RetryingStore } from './retrying-store.ts';
import { resultElsewhere } from './result-elsewhere.ts';
import type { SharedWorkspace } from './shared-workspace.ts';

const KEPT_ENDED = 200;

/** One coordinator's part in a group of several. */
export type CoordinatorGroup = {
  readonly self: CommandRecord['owner'];
  readonly store: RetryingStore;
  readonly leaders: Leaders;
  /** Whether this coordinator leads that command, or did until a moment ago. */
  readonly isLed: (id: CommandId) => boolean;
  readonly auditedBefore: (id: CommandId) => AuditLine | undefined;
  /** Call when it no longer leads a command. */
  noteEnded(id: CommandId): void;
  readonly resultElsewhere: (id: CommandId) => Promise<CommandResult | null>;
  /** Starts to take over what dead coordinators leave. */
  takeOver(by: {
    readonly lead: (record: CommandRecord) => Promise<CommandRunner>;
    readonly runners: ReadonlyMap<CommandId, CommandRunner>;
    readonly hold: (id: CommandId) => void;
    readonly scheduler: Scheduler;
  }): Pick<Takeover, 'round' | 'takeOverLease'>;
  /** Ends every wait. */
  giveUpWaiting(): void;
  stop(): void;
};

export function joinOthers(options: CoordinatorOptions, shared: SharedWorkspace): CoordinatorGroup {
  const { members } = shared;
  const { logger } = options;
  const stopping = new AbortController();
  const store = createRetryingStore(options.store, { ...options, members, signal: stopping.signal });
  const before = new Map<CommandId, AuditLine>();
  /** Kept for a while, since events of an ending are published after its runner is gone. */
  const ended: CommandId[] = [];
  let led: ReadonlyMap<CommandId, CommandRunner> = new Map();
  let stopAll: () => void = () => undefined;

  return {
    self: members.self,
    store,
    leaders: createLeaders({ ...options, members }),
    isLed: (id) => led.has(id) || ended.includes(id),
    noteEnded(id) {
      before.delete(id);
      ended.push(id);
      if (ended.length > KEPT_ENDED) ended.shift();
    },
    auditedBefore: (id) => before.get(id),
    resultElsewhere: (id) => resultElsewhere({ ...options, store, signal: stopping.signal }, id),
    takeOver({ lead, runners, hold, scheduler }) {
      led = runners;
      const takeover = createTakeover({
        shared,
        store,
        scheduler,
        clock: options.clock,
        logger,
        hold,
        isLed: (id) => runners.has(id),
        async lead(record, line) {
          if (line !== undefined) before.set(record.id, line);
          return lead(record);
        },
      });
      const unlisten = members.onReturned(() => void handOverTaken(runners));
      stopAll = () => {
        unlisten();
        takeover.stop();
      };
      return {
        round: takeover.round,
        takeOverLease: (lease: Lease) => takeover.takeOverLease(lease),
      };
    },
    giveUpWaiting: () => stopping.abort(),
    stop: () => stopAll(),
  };

  /** The others took this coordinator for dead for a while: commands they lead now stay theirs. */
  async function handOverTaken(runners: ReadonlyMap<CommandId, CommandRunner>): Promise<void> {
    for (const [id, runner] of runners) {
      const stored = await store.get(id).catch(() => null);
      if (stored !== null && stored.owner !== members.self) await runner.handOver();
    }
  }
}
