import type { Event } from '@signalbox/core';
import type { BenchWorld } from '../bench-world.ts';
import type { BenchClient } from '../drive/bench-client.ts';
import type { EvidenceLog } from '../evidence/evidence-log.ts';
import type { MonitorRecord } from '../monitor/monitor-record.ts';
import type { Plan } from '../plan/create-plan.ts';

/** What a run needs from the process that leads it. */
export type LedRunOptions = Readonly<{
  world: BenchWorld;
  evidence: EvidenceLog;
  plan: Plan;
  /** For the events of the coordinator. */
  observe: ((event: Event) => void) | undefined;
  /** Lets the agents work; settles when each command has its answer. */
  drive: (client: BenchClient) => Promise<void>;
}>;

/** Facts about a run that only its coordinators know. */
export type LedResult = Readonly<{
  /** Leases and queue entries that remain although every command has an answer, as text for people. */
  leftovers: readonly string[];
  /** Null unless the run was monitored. */
  monitored: MonitorRecord | null;
  /** Number of killed coordinator processes. */
  killed: number;
}>;
