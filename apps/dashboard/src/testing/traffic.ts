import {
  type Claim,
  type CommandId,
  type CommandRecord,
  type Event,
  type EventId,
  type FencingToken,
  type Verdict,
  ProviderId,
} from '@signalbox/core';
import { aCall, aCommandId, aCommandRecord, aSessionId, ended } from '@signalbox/core/testing';
import type { CommandView } from '@signalbox/api';

/** The events of a busy coordinator: every command goes through all its states, some wait, some fail. */
export type TestTraffic = {
  /** The next event. `now`: epoch milliseconds. */
  next(now: number): Event;
  view(id: string): CommandView;
  /** Commands that ended before all that, newest first. */
  views(from: number, count: number): readonly CommandView[];
};

/** Concurrent commands: as many as providers, at most this. */
const MAX_CONCURRENT = 40;
const LINES = [
  'npm test -- parser',
  'sed -i s/a/b/ src/lexer.ts',
  'git status --short',
  'node scripts/build.mjs',
];

type Living = { record: CommandRecord; left: Event['type'][] };

export function createTraffic(providers: number, history = 200): TestTraffic {
  const names = Array.from({ length: providers }, (_, at) => ProviderId.parse(`agent-${at + 1}`));
  const living: Living[] = [];
  const past = Array.from({ length: history }, (_, at) => pastRecord(at));
  let commands = 0;
  let events = 0;
  let turn = 0;

  function pastRecord(at: number): CommandRecord {
    const provider = names[at % names.length] ?? ProviderId.parse('agent-1');
    const submittedAt = Date.now() - 1000 * (at + 1);
    const record = aCommandRecord({
      id: aCommandId(`p${at}`),
      submittedAt,
      call: aCall({ tool: 'bash' }),
      title: `bash ${LINES[at % 4]}`,
    });
    return ended(
      { ...record, context: { ...record.context, provider }, startedAt: submittedAt },
      { outcome: at % 9 === 0 ? 'failed' : 'completed' },
    );
  }

  function begin(now: number): Living {
    const at = commands++;
    const provider = names[at % names.length] ?? ProviderId.parse('agent-1');
    const record = aCommandRecord({
      id: aCommandId(`c${at}`),
      submittedAt: now,
      call: aCall({ tool: 'bash' }),
      title: `bash ${LINES[at % 4]}`,
    });
    const end = at % 7 === 0 ? 'command_failed' : 'command_completed';
    return {
      record: {
        ...record,
        context: { ...record.context, provider, sessionId: aSessionId(`s${at % names.length}`) },
      },
      left: [
        'command_submitted',
        'command_classified',
        'command_approved',
        'command_queued',
        'command_started',
        end,
      ],
    };
  }

  return {
    next(now) {
      if (living.length < Math.min(MAX_CONCURRENT, providers)) living.push(begin(now));
      turn = (turn + 1) % living.length;
      const one = living[turn] ?? begin(now);
      const [type] = one.left.splice(0, 1);
      if (one.left.length === 0) living.splice(living.indexOf(one), 1);
      const blockers = living
        .filter(({ record }) => record.id < one.record.id)
        .map(({ record }) => record.id);
      return eventOf(type ?? 'command_submitted', one.record, {
        now,
        at: events++,
        blockers: blockers.slice(0, 2),
      });
    },
    view: (id) => viewOf({ ...(past[0] ?? pastRecord(0)), id: id as CommandId }),
    views: (from, count) => past.slice(from, from + count).map(viewOf),
  };
}

function viewOf(record: CommandRecord): CommandView {
  return { ...record, status: 'completed' };
}

const WARNING: Verdict = {
  level: 'warning',
  effects: [],
  reasons: [],
  runsRepositoryCode: false,
  composed: false,
};

function eventOf(
  type: Event['type'],
  { id, title, context: { sessionId, provider }, call, submittedAt }: CommandRecord,
  { now, at, blockers }: { now: number; at: number; blockers: readonly CommandId[] },
): Event {
  const claims: Claim[] = [{ resource: `path:src/file-${at % 12}.ts` as Claim['resource'], access: 'write' }];
  const base = { id: `${now}-${at}` as EventId, at: now, commandId: id, sessionId, provider, title };
  const end = { tool: call.tool, exitCode: 0, durationMs: 20, latencyMs: now - submittedAt };
  const parts: Readonly<Record<string, object>> = {
    command_submitted: { tool: 'bash' },
    command_classified: { verdict: WARNING },
    command_approved: { by: 'auto', rule: 'safe-runs', modified: false },
    command_queued: { claims, blockers },
    command_started: { claims, fencingToken: (at + 1) as FencingToken, waitedMs: 5 },
    command_completed: end,
    command_failed: { ...end, outcome: 'failed', reason: 'exit-code', message: 'exit code 1' },
  };
  return { ...base, type, ...parts[type] } as unknown as Event;
}
