import { type CommandRecord, type CommandResult, SessionId } from '@signalbox/core';
import { aCallContext, aCommandRecord, aFailure, ended, SOME_TIME } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../audit/audit-line.ts';
import { auditEntryOf } from './audit-entry-of.ts';

const REDACT = {
  text: (text: string) => text,
  json: (json: CommandRecord['call']['args']) => ({ redacted: json }),
} as Parameters<typeof auditEntryOf>[2]['redact'];
const AT = new Date(SOME_TIME + 100).toISOString();

type Given = Readonly<{
  record?: Partial<CommandRecord>;
  result?: Partial<CommandResult>;
  isShell?: boolean;
}>;

function entry({ record = {}, result = {}, isShell = false }: Given = {}): AuditEntry {
  const command = aCommandRecord(record);
  const { result: settled } = ended(command);
  if (settled === null) throw new Error('it has ended');
  return auditEntryOf(command, { ...settled, ...result }, { mode: 'NORMAL', isShell, redact: REDACT });
}

const PERSON = { name: 'ann', channel: 'dashboard' } as const;
const OTHER = { name: 'bob', channel: 'cli' } as const;
type Approval = NonNullable<CommandRecord['approval']>;
const approval = (more: object) => ({ approval: { grants: [], again: [], ...more } as unknown as Approval });

test('an entry has the command, its caller, how it was judged and how it ended', () => {
  const command = aCommandRecord();
  expect(entry()).toEqual({
    ts: AT,
    command_id: command.id,
    session_id: SessionId.parse(command.context.sessionId),
    provider: command.context.provider,
    tool: command.call.tool,
    call: { redacted: command.call.args },
    result: 'completed',
    mode: 'NORMAL',
    level: null,
    rule: null,
    trust: 'provisional',
    approved_by: null,
    approved_over: null,
    answers: [],
    asked_again: [],
    exit_code: null,
    outputs: { stdout: null, stderr: null, output: { sha256: expect.any(String) as string, bytes: 7 } },
    truncated: false,
    error_code: null,
    error_category: null,
    error_detail: null,
    files: [],
    fencing_token: null,
    latency_ms: 100,
    duration_ms: 40,
    phase: 'executor',
    caller_id: null,
    adversarial_policy_decision: null,
    claim_source: null,
  });
});

test('an entry names the level, the rule, the lease and the caller', () => {
  const record = {
    verdict: { level: 'warning', reasons: [], effects: [], runsRepositoryCode: false, composed: false },
    ruling: { rule: 'ask-for-warnings' },
    lease: { fencingToken: 7 },
    context: aCallContext({ callerId: 'agent-1' }),
  } as unknown as Partial<CommandRecord>;
  expect(entry({ record })).toMatchObject({
    level: 'warning',
    rule: 'ask-for-warnings',
    fencing_token: 7,
    caller_id: 'agent-1',
  });
});

test('a command that nobody was asked about is approved by “auto”', () => {
  expect(entry({ record: { approvedAt: SOME_TIME } })).toMatchObject({
    approved_by: 'auto',
    approved_over: null,
    answers: [],
  });
});

test('an entry names who approved it, over what, and every answer with its time', () => {
  const grants = [
    { by: OTHER, at: SOME_TIME + 1 },
    { by: PERSON, at: SOME_TIME + 2 },
  ];
  const granted = approval({ status: 'granted', by: PERSON, answeredAt: SOME_TIME + 2, grants });
  expect(entry({ record: { ...granted, approvedAt: SOME_TIME + 2 } })).toMatchObject({
    approved_by: 'ann',
    approved_over: 'dashboard',
    answers: [
      { by: 'bob', over: 'cli', answer: 'granted', ts: new Date(SOME_TIME + 1).toISOString() },
      { by: 'ann', over: 'dashboard', answer: 'granted', ts: new Date(SOME_TIME + 2).toISOString() },
    ],
  });
});

test('a refusal comes after the grants, and approves nothing', () => {
  const refused = approval({
    status: 'refused',
    by: PERSON,
    answeredAt: SOME_TIME + 3,
    grants: [{ by: OTHER, at: SOME_TIME + 1 }],
  });
  expect(entry({ record: refused })).toMatchObject({
    approved_by: null,
    approved_over: null,
    answers: [
      { by: 'bob', over: 'cli', answer: 'granted', ts: new Date(SOME_TIME + 1).toISOString() },
      { by: 'ann', over: 'dashboard', answer: 'refused', ts: new Date(SOME_TIME + 3).toISOString() },
    ],
  });
});

test('an entry says why an approval was asked for again, and for which paths', () => {
  const again = [{ because: 'changed', paths: ['a.ts'], at: SOME_TIME + 4 }];
  expect(entry({ record: approval({ status: 'pending', again }) })).toMatchObject({
    answers: [],
    asked_again: [{ because: 'changed', paths: ['a.ts'], ts: new Date(SOME_TIME + 4).toISOString() }],
  });
});

test('a shell line that never ran has exit code -1, other tools have none (S001-22)', () => {
  expect(entry({ isShell: true }).exit_code).toBe(-1);
  expect(entry({ isShell: true, result: { exitCode: 0 } }).exit_code).toBe(0);
  expect(entry({ isShell: false, result: { exitCode: 3 } }).exit_code).toBe(3);
});

test('an entry of a failure has its code, category and message', () => {
  const failure = aFailure();
  const result = { outcome: { kind: 'failed', failure }, failure, truncated: true } as const;
  expect(entry({ result })).toMatchObject({
    result: 'failed',
    error_code: failure.code,
    error_category: failure.category,
    error_detail: failure.message,
    truncated: true,
  });
});

test('an entry lists changed files, git references, connections and the rollback where there are some', () => {
  for (const key of ['git', 'network', 'rollback']) expect(entry()).not.toHaveProperty(key);
  const result = {
    files: [{ path: 'a.ts', kind: 'modified', more: 1 }],
    git: [{ ref: 'refs/heads/main' }],
    network: [{ host: 'github.com' }],
    rollback: { kind: 'done' },
  } as unknown as Partial<CommandResult>;
  expect(entry({ result })).toMatchObject({
    git: [{ ref: 'refs/heads/main' }],
    network: [{ host: 'github.com' }],
    rollback: { kind: 'done' },
  });
  expect(entry({ result }).files).toEqual([{ path: 'a.ts', kind: 'modified' }]);
});

test('an entry of a result that was used again names the command that ran (O1)', () => {
  for (const key of ['cached', 'cached_from']) expect(entry()).not.toHaveProperty(key);
  const reusedFrom = { commandId: 'cmd_axxxxxxxxxxx', provider: 'openai', endedAt: 1, durationMs: 2 };
  expect(entry({ result: { reusedFrom } as unknown as Partial<CommandResult> })).toMatchObject({
    cached: true,
    cached_from: 'cmd_axxxxxxxxxxx',
  });
});

test('an entry has what a model judged, and where the call came from; another gate is none of it (S001-41, S001-119)', () => {
  const decided = { decision: 'deny', shadow: true, reason: 'It pushes', ms: 12 } as const;
  const utility = { gate: 'utility', ...decided, terms: {} } as const;
  const source = { kind: 'file', name: 'a.md', commandId: 'cmd_axxxxxxxxxxx', text: 'push' };
  const judged = {
    gate: 'adversarial',
    ...decided,
    policy: 'Never push',
    provider: 'judge',
    phase: 'executor',
    cached: false,
    version: '1',
    claimSource: source,
  };
  const given = (...gates: readonly object[]) =>
    entry({ record: { gates } as unknown as Partial<CommandRecord> });
  expect(given(utility, judged)).toMatchObject({
    adversarial_policy_decision: {
      ...decided,
      policy: 'Never push',
      provider: 'judge',
      phase: 'executor',
      cached: false,
    },
    claim_source: { kind: 'file', name: 'a.md', command_id: 'cmd_axxxxxxxxxxx', text: 'push' },
  });
  expect(given({ ...judged, claimSource: null })).toMatchObject({
    adversarial_policy_decision: { policy: 'Never push' },
    claim_source: null,
  });
  expect(given(utility)).toMatchObject({ adversarial_policy_decision: null, claim_source: null });
});

test('an entry of a question has the answer and who gave it; of an approval no text', () => {
  const granted = { status: 'granted', by: PERSON, answeredAt: SOME_TIME + 2 };
  const answered = approval({ ...granted, answer: 'Use zod' });
  expect(entry({ record: answered })).toMatchObject({
    approved_by: 'ann',
    answers: [
      {
        by: 'ann',
        over: 'dashboard',
        answer: 'answered',
        text: 'Use zod',
        ts: new Date(SOME_TIME + 2).toISOString(),
      },
    ],
  });
  expect(entry({ record: approval(granted) }).answers).toEqual([]);
  const declined = approval({ ...granted, status: 'refused', answer: 'never' });
  expect(entry({ record: declined }).answers).toMatchObject([{ answer: 'refused' }]);
});
