import type { Snapshot } from '@signalbox/api';
import { aSessionView, aSnapshot as anApiSnapshot } from '@signalbox/api/testing';
import type { Event, EventId } from '@signalbox/core';
import { pathResource, writeClaim } from '@signalbox/core';
import { aCommandId, aCommandRecord, aProviderId, aSessionId } from '@signalbox/core/testing';
import { RENDER } from '../../../testing/screen-text.ts';
import type { FrameData } from '../frame/frame-data.ts';
import { newWatchUi } from '../frame/watch-ui.ts';
import { newWatchState, watchAfter, type WatchState } from '../frame/watch-state.ts';
import type { ApprovalData } from '../../../views/command/approval-view.ts';

let events = 0;

/** An event that happened that many seconds before the frame. */
export function anEvent(secondsAgo: number, event: object): Event {
  events += 1;
  return { id: `9-${events}` as EventId, at: RENDER.now - secondsAgo * 1000, ...event } as Event;
}

export function ofCommand(label: string, { provider, title }: Readonly<{ provider: string; title: string }>) {
  return {
    commandId: aCommandId(label),
    sessionId: aSessionId(provider.slice(0, 2)),
    provider: aProviderId(provider),
    title,
  };
}

export function aSnapshot(overrides: Partial<Snapshot> = {}): Snapshot {
  return anApiSnapshot({
    workspace: '/home/ana/shop',
    now: RENDER.now,
    sessions: ['anthropic', 'openai', 'deepseek'].map((provider, i) =>
      aSessionView({
        id: aSessionId(provider.slice(0, 2)),
        provider: aProviderId(provider),
        turns: 12 - i,
        costUsd: 0.21 - i / 10,
        startedAt: RENDER.now - 60_000,
      }),
    ),
    ...overrides,
  });
}

const claims = [writeClaim(pathResource('src/cart.ts'))];
const hash = 'a'.repeat(64);

/** One command runs and prints, one waits for it, one needs approval, and the user's own read has ended. */
const STORY: readonly Event[] = [
  anEvent(9, {
    type: 'command_submitted',
    ...ofCommand('y1', { provider: 'you', title: 'read_file a.ts' }),
    tool: 'read_file',
  }),
  anEvent(8, {
    type: 'command_completed',
    ...ofCommand('y1', { provider: 'you', title: 'read_file a.ts' }),
    tool: 'read_file',
    durationMs: 3,
    latencyMs: 4,
    exitCode: null,
  }),
  anEvent(5, {
    type: 'command_submitted',
    ...ofCommand('m2qd', { provider: 'anthropic', title: 'run_tests' }),
    tool: 'run_tests',
  }),
  anEvent(4.2, {
    type: 'command_started',
    ...ofCommand('m2qd', { provider: 'anthropic', title: 'run_tests' }),
    claims,
    fencingToken: 4182,
    waitedMs: 0,
  }),
  anEvent(4, {
    type: 'command_output',
    commandId: aCommandId('m2qd'),
    provider: aProviderId('anthropic'),
    stream: 'stdout',
    output: ' ✓ test/money.test.ts (3 tests) 12 ms\n ❯ test/cart.test.ts (3 tests) 1 failed\n',
  }),
  anEvent(3.5, {
    type: 'command_submitted',
    ...ofCommand('k7f3', { provider: 'openai', title: 'write_file src/cart.ts' }),
    tool: 'write_file',
  }),
  anEvent(3.1, {
    type: 'command_queued',
    ...ofCommand('k7f3', { provider: 'openai', title: 'write_file src/cart.ts' }),
    claims,
    blockers: [aCommandId('m2qd')],
  }),
  anEvent(2, {
    type: 'command_submitted',
    ...ofCommand('p9ze', { provider: 'deepseek', title: 'bash npm install zod@4' }),
    tool: 'bash',
  }),
  anEvent(1.5, {
    type: 'approval_requested',
    ...ofCommand('p9ze', { provider: 'deepseek', title: 'bash npm install zod@4' }),
    level: 'warning',
    reason: 'installs a package',
    callHash: hash,
    expiresAt: RENDER.now + 259_000,
    approvers: 1,
  }),
];

export function storyState(more: readonly Event[] = []): WatchState {
  const reported = [...STORY, ...more].map((event) => ({ kind: 'event', event }) as const);
  const begun = { kind: 'snapshot', snapshot: aSnapshot(), after: 'start' } as const;
  return watchAfter(newWatchState(), [begun, ...reported], { now: RENDER.now });
}

/** The open approval of the fixture; `line` is what would run. */
export function storyQuestion(line = 'npm install zod@4'): ApprovalData {
  const record = aCommandRecord({
    id: aCommandId('p9ze'),
    state: 'awaiting_approval',
    title: `bash ${line}`,
    call: { callId: 'c', tool: 'bash', args: { line } },
    context: { ...aCommandRecord().context, provider: aProviderId('deepseek') },
    verdict: {
      level: 'warning',
      reasons: [{ id: 'installs', level: 'warning', text: 'installs a package' }],
      effects: [],
    } as never,
    approval: {
      status: 'pending',
      callHash: hash as never,
      requestedAt: RENDER.now - 1500,
      expiresAt: RENDER.now + 259_000,
      approvers: 1,
      grants: [],
      base: { files: [], unbound: [] },
      again: [],
    },
  });
  return { record, full: false };
}

export function aFrame(overrides: Partial<FrameData> = {}): FrameData {
  return {
    state: storyState(),
    ui: newWatchUi(),
    question: storyQuestion(),
    prompt: [],
    answering: false,
    canStart: true,
    later: 0,
    note: null,
    held: null,
    ...overrides,
  };
}
