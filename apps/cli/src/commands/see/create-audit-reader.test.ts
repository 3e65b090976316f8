import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuditReader } from './create-audit-reader.ts';

const entry = {
  command_id: 'cmd_a00000000001',
  session_id: 'ses_a00000000000',
  provider: 'openai',
  tool: 'echo',
  call: { text: 'a' },
  result: 'completed',
  mode: 'NORMAL',
  level: 'safe',
  rule: 'safe-auto',
  trust: 'provisional',
  approved_by: 'auto',
  approved_over: null,
  exit_code: null,
  truncated: false,
  error_code: null,
  error_category: null,
  error_detail: null,
  files: [],
  fencing_token: 1,
  latency_ms: 1,
  duration_ms: 1,
  phase: 'executor',
  caller_id: null,
  claim_source: null,
  prev: 'x',
  hash: 'y',
};

test('the audit reader returns each line once, when it is complete', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-audit-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const read = createAuditReader(workspace);
  expect(read()).toEqual([]);
  mkdirSync(join(workspace, '.signalbox', 'audit'), { recursive: true });
  const lineOf = (ts: string): string => `${JSON.stringify({ ...entry, ts })}\n`;
  const [first, second] = ['a.jsonl', 'b.jsonl'].map((name) => join(workspace, '.signalbox', 'audit', name));
  if (first === undefined || second === undefined) throw new Error('no files');
  const late = lineOf('2026-01-01T00:00:02.000Z');
  writeFileSync(first, late.slice(0, 40));
  writeFileSync(second, `torn\n${lineOf('2026-01-01T00:00:03.000Z')}`);
  expect(read().map(({ ts }) => ts)).toEqual(['2026-01-01T00:00:03.000Z']);
  appendFileSync(first, `${late.slice(40)}${lineOf('2026-01-01T00:00:01.000Z')}`);
  expect(read().map(({ ts }) => ts)).toEqual(['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z']);
  expect(read()).toEqual([]);
});
