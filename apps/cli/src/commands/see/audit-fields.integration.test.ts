import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallContextInput, canonicalJson, type CommandResult, type Json } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'test' } as const;
const ANY_TIME: unknown = expect.any(String);
const LONG = 'seq 1 60000';

/** A request in words: its tool, arguments and caller; and the user's answer, if approval is needed. */
type Sent = Readonly<{
  tool: string;
  args: Record<string, Json>;
  context?: Partial<CallContextInput>;
  answer?: 'approve' | 'deny';
}>;

const SENT: readonly Sent[] = [
  { tool: 'bash', args: { line: 'echo out; echo err >&2; echo x > made.txt' } },
  { tool: 'bash', args: { line: 'sleep 0.2; exit 3' }, context: { phase: 'verifier', trust: 'trusted' } },
  { tool: 'bash', args: { line: LONG }, context: { callerId: 'helper-1' } },
  { tool: 'bash', args: { line: 'sudo ls' }, context: { trust: 'untrusted' } },
  { tool: 'bash', args: { line: 'rm -rf dist' }, answer: 'approve' },
  { tool: 'bash', args: { line: 'rm -rf src' }, answer: 'deny' },
  { tool: 'bash', args: { lien: 'x' } },
  { tool: 'read_file', args: { path: 'src/a.ts' }, context: { phase: 'planner', callerId: 'helper-2' } },
  { tool: 'read_file', args: { path: 'none.ts' } },
  { tool: 'no_such_tool', args: { a: 1 } },
];

test('each field of a line is that of its command and its result (N4, S001-22, S001-38, S001-102, S001-130, S001-21, S001-121, S001-122, S002-44, L-33)', async () => {
  await using own = await openTestRuntime({ files: { 'src/a.ts': 'a', 'dist/a.js': 'x' } });
  const results: CommandResult[] = [];
  for (const sent of SENT) results.push(await resultOf(own, sent));
  const rows = readFileSync(join(own.workspace, '.signalbox/audit.jsonl'), 'utf8').trimEnd().split('\n');
  let prev = '0'.repeat(64);
  for (const [index, sent] of SENT.entries()) {
    const [row = '', result] = [rows[index], results[index]];
    if (result === undefined) throw new Error('no result');
    const hash = createHash('sha256')
      .update(row.slice(0, row.lastIndexOf(',"hash":')))
      .digest('hex');
    expect(JSON.parse(row)).toEqual({ ...(await expectedLine(own, sent, result)), prev, hash });
    prev = hash;
  }
  const lines = own.auditLines();
  const column = (...keys: readonly string[]) => lines.map((line) => keys.map((key) => line[key]).join(' '));
  expect(column('exit_code')).toEqual(['0', '3', '0', '-1', '0', '-1', '-1', '', '', '']);
  expect(column('result', 'approved_by', 'approved_over')).toEqual([
    'completed auto ',
    'failed auto ',
    'completed auto ',
    'blocked  ',
    'completed ana test',
    'denied  ',
    'failed  ',
    'completed auto ',
    'failed auto ',
    'failed  ',
  ]);
  expect(column('truncated').indexOf('true')).toBe(2);
  expect(new Set(column('truncated'))).toEqual(new Set(['true', 'false']));
  expect(column('error_category')).toEqual([
    '',
    'PermanentFailure',
    '',
    'PolicyBlocked',
    '',
    'PolicyBlocked',
    'InvalidParameters',
    '',
    'InvalidParameters',
    'ToolNotFound',
  ]);
  expect(Number(lines[1]?.['duration_ms'])).toBeGreaterThanOrEqual(200);
  for (const { latency_ms: latency, duration_ms: duration, fencing_token: token } of lines) {
    expect(Number(latency)).toBeGreaterThanOrEqual(Number(duration));
    expect(token === null).toBe(duration === 0);
  }
  expect(Number(lines[1]?.['latency_ms'])).toBeGreaterThan(Number(lines[1]?.['duration_ms']));
  expect(lines[0]?.['outputs']).toMatchObject({ stdout: fingerprint('out\n'), stderr: fingerprint('err\n') });
});

async function resultOf(own: TestRuntime, { tool, args, context, answer }: Sent): Promise<CommandResult> {
  const submitted = own.submit('openai', tool, { args, context });
  if (answer !== undefined) {
    const { callHash } = await own.event(
      'approval_requested',
      ({ commandId }) => commandId === submitted.commandId,
    );
    const { approvals } = own.runtime.coordinator;
    await approvals.answer(submitted.commandId, { kind: answer }, { by: ANA, expect: callHash });
  }
  return submitted.result;
}

async function expectedLine(own: TestRuntime, { tool, args, context, answer }: Sent, result: CommandResult) {
  const record = await own.runtime.store.get(result.commandId);
  if (record === null) throw new Error('no record');
  const { failure } = result;
  return {
    ts: new Date(result.endedAt).toISOString(),
    command_id: result.commandId,
    session_id: result.sessionId,
    provider: 'openai',
    tool,
    call: expect.objectContaining(args),
    result: result.outcome.kind,
    mode: 'NORMAL',
    level: record.verdict?.level ?? null,
    rule: record.ruling?.rule ?? null,
    trust: context?.trust ?? 'provisional',
    approved_by: answer === 'approve' ? 'ana' : record.approvedAt === null ? null : 'auto',
    approved_over: answer === 'approve' ? 'test' : null,
    answers:
      answer === undefined
        ? []
        : [
            {
              by: 'ana',
              over: 'test',
              answer: answer === 'approve' ? 'granted' : 'refused',
              ts: ANY_TIME,
            },
          ],
    asked_again: [],
    exit_code: result.exitCode ?? (tool === 'bash' ? -1 : null),
    outputs: {
      stdout: fingerprint(result.stdout),
      stderr: fingerprint(result.stderr),
      output: fingerprint(result.output === null ? '' : canonicalJson(result.output)),
    },
    truncated: result.truncated,
    error_code: failure?.code ?? null,
    error_category: failure?.category ?? null,
    error_detail: failure?.message ?? null,
    files: result.files.map(({ path, kind }) => ({ path, kind })),
    fencing_token: record.lease?.fencingToken ?? null,
    latency_ms: result.latencyMs,
    duration_ms: result.durationMs,
    phase: context?.phase ?? 'executor',
    caller_id: context?.callerId ?? null,
    adversarial_policy_decision: null,
    claim_source: null,
  };
}

function fingerprint(text: string) {
  if (text === '') return null;
  return { sha256: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) };
}
