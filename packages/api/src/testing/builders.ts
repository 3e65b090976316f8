import { type CommandRecord, EventId, NO_SAVINGS, NO_USAGE, publishedStatus } from '@signalbox/core';
import { aProviderId, aSessionId } from '@signalbox/core/testing';
import type { CommandView } from '../operations/command.ts';
import type { SessionView } from '../operations/session.ts';
import type { Snapshot } from '../operations/workspace.ts';

/** 2026-01-01T00:00:00Z. */
const NOW = 1_767_225_600_000;

/** A record as the API shows it. */
export function aCommandView(record: CommandRecord): CommandView {
  return { ...record, status: publishedStatus(record) };
}

export function aSessionView(overrides: Partial<SessionView> = {}): SessionView {
  return {
    id: aSessionId(),
    runId: null,
    provider: aProviderId(),
    model: 'm-1',
    task: 'mend the tests',
    state: 'running',
    turns: 0,
    needsTurns: false,
    criticalFailure: null,
    isResting: false,
    waitsFor: null,
    resumed: 0,
    messages: 0,
    calls: 0,
    context: { tokens: 0, of: null, compressions: 0 },
    usage: NO_USAGE,
    costUsd: null,
    saved: NO_SAVINGS,
    says: '',
    startedAt: NOW,
    since: overrides.endedAt ?? overrides.startedAt ?? NOW,
    retryAt: null,
    endedAt: null,
    finish: null,
    message: null,
    ...overrides,
  };
}

/** A workspace without activity. */
export function aSnapshot(overrides: Partial<Snapshot> = {}): Snapshot {
  return {
    workspace: 'shop',
    version: '1.0.0',
    now: NOW,
    lastEventId: EventId.parse('1-0'),
    you: { name: 'ana', role: 'operator' },
    mode: { mode: 'NORMAL', since: NOW, by: 'ana', reason: '' },
    isolation: 'overlay',
    commands: [],
    queue: { waiting: [], leases: [], counts: [] },
    limits: { maxConcurrent: 3, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
    sessions: [],
    providers: [],
    tests: null,
    ...overrides,
  };
}
