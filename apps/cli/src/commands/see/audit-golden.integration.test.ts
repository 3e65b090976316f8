import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@signalbox/core';
import { AuditLine } from '@signalbox/coordinator';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'test' } as const;

/** Fields of docs/audit.md, in its order: name, and position. */
const FIELDS = readFileSync(new URL('../../../../../docs/audit.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((row) => {
    const [, name, on] = /^\| `(\w+)` +\| (.+?) +\|/.exec(row) ?? [];
    return name === undefined || on === undefined ? [] : [[name, on] as const];
  });

/** Fields that vary between runs. */
const VARIES: Readonly<Record<string, (value: Json) => unknown>> = {
  ts: like(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'INSTANT'),
  command_id: like(/^cmd_\w{12}$/, 'COMMAND'),
  session_id: like(/^ses_\w{12}$/, 'SESSION'),
  answers: (value) => JSON.parse(JSON.stringify(value).replaceAll(/"ts":"[^"]+"/g, '"ts":"INSTANT"')) as Json,
  // The length of a tool's answer depends on what it says about the run.
  outputs: (value) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/"[0-9a-f]{64}"/g, '"SHA-256"')
        .replace(/"output":\{"sha256":"SHA-256","bytes":\d+\}/, '"output":"ANSWER"'),
    ) as Json,
  fencing_token: (value) => (typeof value === 'number' && value > 0 ? 'TOKEN' : value),
  latency_ms: (value) => (typeof value === 'number' && value > 0 ? 'MS' : value),
  duration_ms: (value) => (typeof value === 'number' && value > 0 ? 'MS' : value),
  prev: like(/^[0-9a-f]{64}$/, 'SHA-256'),
  hash: like(/^[0-9a-f]{64}$/, 'SHA-256'),
};

/** A text of that form, by its name. */
function like(form: RegExp, name: string): (value: Json) => Json {
  return (value) => (typeof value === 'string' && form.test(value) ? name : value);
}

/** Every line below, unless stated otherwise. */
const LINE = {
  ts: 'INSTANT',
  command_id: 'COMMAND',
  session_id: 'SESSION',
  provider: 'openai',
  tool: 'bash',
  mode: 'NORMAL',
  trust: 'provisional',
  approved_by: 'auto',
  approved_over: null,
  answers: [],
  asked_again: [],
  outputs: { stdout: null, stderr: null, output: 'ANSWER' },
  truncated: false,
  error_code: null,
  error_category: null,
  error_detail: null,
  files: [],
  fencing_token: 'TOKEN',
  latency_ms: 'MS',
  duration_ms: 'MS',
  phase: 'executor',
  caller_id: null,
  adversarial_policy_decision: null,
  claim_source: null,
  prev: 'SHA-256',
  hash: 'SHA-256',
};

test('the fields of docs/audit.md are those that a line may have', () => {
  const known = Object.keys(AuditLine.def.innerType.shape);
  expect(FIELDS.map(([name]) => name).toSorted()).toEqual(known.toSorted());
});

test('a success, a denial, a failure, a cancel, a timeout and an approval have exactly the fields that docs/audit.md names', async () => {
  await using own = await openTestRuntime({ files: { 'dist/a.js': 'x', 'src/a.ts': 'a' } });
  const { coordinator } = own.runtime;
  const submit = (line: string, more: object = {}) =>
    own.submit('openai', 'bash', { args: { line, ...more } });
  const answer = async (line: string, kind: 'approve' | 'deny') => {
    const { commandId, result } = submit(line);
    const { callHash } = await own.event('approval_requested', (event) => event.commandId === commandId);
    await coordinator.approvals.answer(commandId, { kind }, { by: ANA, expect: callHash });
    return result;
  };
  await submit('echo out; echo x > made.txt').result;
  await answer('rm -rf src', 'deny');
  await submit('exit 3').result;
  const cancelled = submit('sleep 60');
  await own.event('command_started', ({ commandId }) => commandId === cancelled.commandId);
  await coordinator.cancel(cancelled.commandId, { by: 'ana' });
  await cancelled.result;
  await submit('sleep 60', { timeoutMs: 300 }).result;
  await answer('rm -rf dist', 'approve');

  const rows = readFileSync(join(own.workspace, '.signalbox/audit.jsonl'), 'utf8').trimEnd().split('\n');
  const lines = rows.map((row) => JSON.parse(row) as Record<string, Json>);
  const always = FIELDS.flatMap(([name, on]) => (on === 'every line' ? [name] : []));
  const names = FIELDS.map(([name]) => name);
  for (const line of lines) {
    const keys = Object.keys(line);
    expect(keys).toEqual(names.filter((name) => keys.includes(name)));
    expect(always.filter((name) => !keys.includes(name))).toEqual([]);
  }
  const normal = lines.map((line) =>
    Object.fromEntries(Object.entries(line).map(([key, value]) => [key, VARIES[key]?.(value) ?? value])),
  );
  expect(normal).toEqual([
    {
      ...LINE,
      call: { line: 'echo out; echo x > made.txt' },
      result: 'completed',
      level: 'warning',
      rule: 'reversible-auto',
      exit_code: 0,
      outputs: { ...LINE.outputs, stdout: { sha256: 'SHA-256', bytes: 4 } },
      files: [{ path: 'made.txt', kind: 'created' }],
    },
    {
      ...LINE,
      call: { line: 'rm -rf src' },
      result: 'denied',
      level: 'dangerous',
      rule: 'dangerous-asks',
      approved_by: null,
      answers: [{ by: 'ana', over: 'test', answer: 'refused', ts: 'INSTANT' }],
      exit_code: -1,
      outputs: { stdout: null, stderr: null, output: null },
      error_code: 'approval-refused',
      error_category: 'PolicyBlocked',
      error_detail: 'A person (ana) denied this call',
      fencing_token: null,
      duration_ms: 0,
    },
    {
      ...LINE,
      call: { line: 'exit 3' },
      result: 'failed',
      level: 'safe',
      rule: 'safe-auto',
      exit_code: 3,
      error_code: 'exit-code',
      error_category: 'PermanentFailure',
      error_detail: 'Exit code 3',
    },
    {
      ...LINE,
      call: { line: 'sleep 60' },
      result: 'cancelled',
      level: 'safe',
      rule: 'safe-auto',
      exit_code: -1,
      outputs: expect.objectContaining({ stdout: null }),
      error_code: 'cancelled',
      error_category: 'Cancelled',
      error_detail: 'Cancelled by ana: no reason given',
    },
    {
      ...LINE,
      call: { line: 'sleep 60', timeoutMs: 300 },
      result: 'timed_out',
      level: 'safe',
      rule: 'safe-auto',
      exit_code: -1,
      // A shell may print that it was terminated.
      outputs: expect.objectContaining({ stdout: null }),
      error_code: 'timeout',
      error_category: 'Timeout',
      error_detail: 'Killed: still running after 300ms (limit 300ms, as the call asked)',
    },
    {
      ...LINE,
      call: { line: 'rm -rf dist' },
      result: 'completed',
      level: 'dangerous',
      rule: 'dangerous-asks',
      approved_by: 'ana',
      approved_over: 'test',
      answers: [{ by: 'ana', over: 'test', answer: 'granted', ts: 'INSTANT' }],
      exit_code: 0,
      files: [{ path: 'dist/a.js', kind: 'deleted' }],
    },
  ]);
});
