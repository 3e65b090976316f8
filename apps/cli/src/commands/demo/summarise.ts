import { addSavings, type Event, NO_SAVINGS, savedBySession, type Savings } from '@signalbox/core';
import { commandsSeen } from './commands-seen.ts';

/** The numbers of the demo's last lines, from its event log. */
export type DemoSummary = {
  readonly commands: number;
  readonly providers: number;
  readonly passed: number;
  readonly failed: number;
  /** From the first event to the last, milliseconds. */
  readonly tookMs: number;
  readonly reads: number;
  /** Commands that waited for another one, and the sum of their waits. */
  readonly waits: number;
  readonly waitedMs: number;
  readonly staleWrites: number;
  readonly blocked: number;
  readonly granted: number;
  readonly refused: number;
  readonly saved: Savings;
};

export function summarise(events: readonly Event[]): DemoSummary {
  const commands = commandsSeen(events);
  const waited = commands.filter(({ blockers, startedAt }) => blockers.length > 0 && startedAt !== null);
  const asked = commands.filter(({ types }) => types.has('approval_requested'));
  const lastTests = commands.findLast(({ tests }) => tests !== null)?.tests;
  return {
    commands: commands.length,
    providers: new Set(commands.map(({ provider }) => provider)).size,
    passed: lastTests?.passed ?? 0,
    failed: lastTests?.failed ?? 0,
    tookMs: (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0),
    reads: commands.filter(({ tool }) => tool === 'read_file').length,
    waits: waited.length,
    waitedMs: waited.reduce((ms, command) => ms + command.waitedMs, 0),
    staleWrites: commands.filter(({ rule }) => rule === 'stale-write').length,
    blocked: commands.filter(({ outcome }) => outcome === 'blocked').length,
    granted: asked.filter(({ types }) => types.has('command_started')).length,
    refused: asked.filter(({ outcome }) => outcome === 'denied').length,
    saved: events.map(savedBySession).reduce(addSavings, NO_SAVINGS),
  };
}
