import type { CommandId, NodeRecord, Mode, ProviderId, SessionId } from '@signalbox/core';
import type { SourceState } from './settings-sources.ts';
import type { FaultRecord } from './fault-log.ts';

/** The current actors of a coordinator: the root and its children. Instants are in epoch milliseconds. */
export type ActorSnapshotTree = {
  readonly coordinator: { readonly state: CoordinatorPhase; readonly since: number };
  /** `watched`: false if the actor that changes the mode automatically has failed. */
  readonly mode: {
    readonly mode: Mode;
    readonly since: number;
    readonly by: string;
    readonly watched: boolean;
  };
  readonly approvals: { readonly waiting: number };
  readonly commands: {
    /** Number of commands in each state: `{"running.working": 2}`. */
    readonly states: Readonly<Record<string, number>>;
    /** The first 20, in order of arrival. */
    readonly first: readonly { readonly id: CommandId; readonly state: string; readonly since: number }[];
  };
  readonly sessions: {
    readonly count: number;
    readonly first: readonly {
      readonly id: SessionId;
      readonly provider: ProviderId;
      readonly state: string;
      readonly since: number;
    }[];
  };
  /** Coordinators and workers; null if the workspace has one coordinator. */
  readonly nodes: readonly NodeRecord[] | null;
  /** By source; null: unchanged since the start. */
  readonly settings: Readonly<Record<'files' | 'mcp_servers', SourceState | null>>;
  /** Children that threw, the first 20. */
  readonly faults: readonly FaultRecord[];
};

export type CoordinatorPhase = 'recovering' | 'leading' | 'draining' | 'closing' | 'closed';
