import {
  type Coordinator,
  createRunService,
  type PrepareSession,
  type RunService,
  type SessionRequests,
} from '@signalbox/coordinator';
import type {
  Clock,
  CommandStore,
  EventLog,
  GrowingRedactor,
  Logger,
  Nodes,
  RandomBytes,
  RunStore,
  Settings,
} from '@signalbox/core';

/** The runs of a coordinator. The SDKs of providers are large: they are loaded with the first session. */
export function openRuns(parts: {
  readonly coordinator: Coordinator;
  readonly store: CommandStore;
  readonly runStore: RunStore;
  readonly nodes: Nodes | null;
  readonly events: EventLog;
  /** The current settings. */
  readonly settings: () => Settings;
  /** Settles when the tools of MCP servers are known, or the wait for them timed out. */
  readonly known: () => Promise<unknown>;
  readonly tests: string | null;
  readonly apiKeys: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly redactor: GrowingRedactor;
  readonly logger: Logger;
}): RunService {
  async function load(): Promise<PrepareSession> {
    await parts.known();
    const { createSessionStarter } = await import('./create-session-starter.ts');
    return createSessionStarter(parts);
  }
  return createRunService({
    ...parts,
    load,
    redact: parts.redactor.redact,
    budgetUsd: () => parts.settings().budget,
  });
}

/** Requests to the sessions of these runs; before they are opened there is none. */
export function sessionsOf(runs: () => RunService | undefined): SessionRequests {
  return {
    stop: async (id, by) => (await runs()?.stopSession(id, by)) ?? false,
    say: async (id, message) => (await runs()?.sayToSession(id, message)) ?? false,
    compress: async (id, by) => (await runs()?.compressSession(id, by)) ?? false,
  };
}
