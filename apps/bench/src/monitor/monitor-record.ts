import type { CommandSummary, Stats, StatusView } from '@signalbox/api';
import type { Claim, CommandState } from '@signalbox/core';

/** A command as the events of a run told it. */
export type FollowedCommand = Readonly<{
  /** After its last event, by the reducer of every screen. */
  summary: CommandSummary;
  /** When its first `command_started` was sent, epoch ms; null without one. */
  firstStartedAt: number | null;
  submissions: number;
  endings: number;
}>;

/** What one snapshot showed. It was taken between two moments of the evidence's clock. */
export type ScreenSample = Readonly<{
  fromUs: number;
  toUs: number;
  commands: ReadonlyMap<string, CommandState>;
  leases: ReadonlyMap<string, readonly Claim[]>;
}>;

/** Screens and numbers when every agent has its last answer. */
export type LastScreens = Readonly<{
  /** What `watch` and the dashboard show: a snapshot from before the run, and all events since. */
  followed: Readonly<{
    commands: ReadonlyMap<string, CommandSummary>;
    ended: Readonly<{ done: number; failed: number; stale: number }>;
  }>;
  /** What they would show if opened now. */
  opened: ReadonlyMap<string, CommandSummary>;
  stats: Pick<Stats, 'providers'>;
  status: Pick<StatusView, 'counts'>;
  /** Whether the events of the whole run had arrived within half a minute. */
  isCaughtUp: boolean;
}>;

/** Everything that was said about a run while it lasted. */
export type MonitorRecord = Readonly<{
  commands: ReadonlyMap<string, FollowedCommand>;
  samples: readonly ScreenSample[];
  /** How often the server no longer had events that a screen still wanted. */
  gaps: number;
  final: LastScreens;
}>;
