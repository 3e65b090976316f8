import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, type CommandRecord } from '@signalbox/core';
import { aCall, aCommandRecord, createManualClock, createMemoryLogger, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anAuditEntry } from '../testing/an-audit-entry.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { type AuditEntry, GENESIS, HASH_KEY } from './audit-line.ts';
import { openAuditLog } from './audit-log.ts';
import { knownEnding } from './known-ending.ts';
import { hashOutputs } from './output-hashes.ts';
import { sha256 } from './sha256.ts';
import { isTornLine } from './torn-line.ts';
import { verifyAudit } from './verify-audit.ts';

function logOf(...entries: readonly AuditEntry[]): string {
  const file = join(ownFolder(), 'audit.jsonl');
  append(file, ...entries);
  return file;
}

function append(file: string, ...entries: readonly AuditEntry[]): void {
  const log = openAuditLog(file, createMemoryLogger(), { clock: createManualClock() });
  for (const entry of entries) log.append(entry);
  log.close();
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

async function kindsIn(file: string): Promise<readonly string[]> {
  const { problems } = await verifyAudit(file);
  return problems.map(({ line, kind }) => `${line} ${kind}`);
}

/** Rewrites a line with a correct hash, like an attacker who knows the algorithm. */
function rehashed(line: string): string {
  const body = line.slice(0, line.lastIndexOf(HASH_KEY));
  return `${body}${HASH_KEY}${sha256(body)}"}`;
}

const three = [1, 2, 3].map((number) => anAuditEntry(number));

test('added text, and lines that can be read in two ways, are reported even with a correct hash (R-C1)', async () => {
  const [first = '', second = '', third = ''] = linesOf(logOf(...three));
  const invented = JSON.stringify({ ...three[0], command_id: 'cmd_x00000000000' });
  const twice = third.replace('"call":', '"call":{"text":"harmless"},"call":');
  const proto = third.replace('"call":', '"__proto__":{"result":"denied"},"call":');
  const cut = second.slice(0, 90);
  const cases: readonly (readonly [lines: readonly string[], found: readonly string[]])[] = [
    [[first, invented, second, third], ['2 foreign']],
    [[first, second, third, invented], ['4 foreign']],
    [[first, second, third, '{}'], ['4 foreign']],
    [[first, '', second, third], ['2 foreign']],
    [[first, cut, second, third], ['2 foreign']],
    [[first, second, third, cut], ['4 foreign']],
    [[first, second, twice], ['3 ambiguous']],
    [[first, second, rehashed(twice)], ['3 ambiguous']],
    [[first, second, rehashed(proto)], ['3 ambiguous']],
    [[first, second, rehashed(third.replace('"tool":', '"tool": '))], ['3 ambiguous']],
    [[first, second, rehashed(third.replace('"tool"', String.raw`"t\u006fol"`))], ['3 ambiguous']],
    [[first, second, third.replace('echo', 'bash')], ['3 changed']],
    [[first, rehashed(second.replace('echo', 'bash')), third], ['3 missing-before']],
  ];
  for (const [lines, found] of cases) {
    const file = join(ownFolder(), 'audit.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect([await kindsIn(file), lines]).toEqual([found, lines]);
  }
});

test('only a line prefix at the very end counts as truncated by a crash (R-C1)', async () => {
  const file = logOf(...three);
  const whole = readFileSync(file);
  const torn = Buffer.from(
    JSON.stringify({ ...three[0], call: { text: 'ä "x" \\ ', list: [true, null, -1.5] } }),
  );
  for (let cut = 1; cut < torn.length; cut++) expect(isTornLine(torn.subarray(0, cut))).toBe(true);
  expect(isTornLine(torn)).toBe(false);
  for (const text of [
    'x',
    '[',
    '{"a"',
    '{"ts":x',
    '{"ts":"a"}',
    '{"ts":"a",,',
    '{"ts":"a"]',
    '{"ts":"a\u0001',
  ])
    expect([text, isTornLine(Buffer.from(text))]).toEqual([text, false]);
  writeFileSync(file, Buffer.concat([whole, torn.subarray(0, 300)]));
  expect(await verifyAudit(file)).toMatchObject({ torn: [4], problems: [], commands: 3 });
  append(file, anAuditEntry(4));
  expect(await verifyAudit(file)).toMatchObject({ torn: [4], problems: [], commands: 4 });
  // The next line contains the hash of what the crash had left.
  const rows = linesOf(file);
  writeFileSync(file, `${rows.with(3, rows[3]?.slice(0, -4) ?? '').join('\n')}\n`);
  expect(await kindsIn(file)).toEqual(['4 foreign']);
  writeFileSync(file, `${rows.toSpliced(3, 1).join('\n')}\n`);
  expect(await kindsIn(file)).toEqual(['4 missing-before']);
});

test('a log of an earlier version verifies, including a crash’s remains in it, and is continued', async () => {
  const file = join(ownFolder(), 'audit.jsonl');
  let prev = GENESIS;
  for (const entry of three) {
    const hash = createHash('sha256').update(prev).update('\n').update(canonicalJson(entry)).digest('hex');
    appendFileSync(file, `${JSON.stringify({ ...entry, prev, hash })}\n`);
    if (prev === GENESIS) appendFileSync(file, '{"ts":"2026-01-01T00:0\n');
    prev = hash;
  }
  append(file, anAuditEntry(4));
  expect(await verifyAudit(file)).toMatchObject({ lines: 5, commands: 4, torn: [2], problems: [] });
  writeFileSync(file, readFileSync(file, 'utf8').replace('"call":', '"call":{},"call":'));
  expect(await kindsIn(file)).toEqual(['1 ambiguous']);
});

test('the text of a call is kept exactly: Unicode line separators, and a key that other parsers lose', async () => {
  const call = JSON.parse(
    '{"__proto__":{"a":"b"},"text":"one\u2028two \\"__proto__\\":1"}',
  ) as AuditEntry['call'];
  const file = logOf(anAuditEntry(1, { call }), anAuditEntry(2));
  expect(await verifyAudit(file)).toMatchObject({ lines: 2, problems: [] });
  expect(JSON.parse(linesOf(file)[0] ?? '')).toMatchObject({
    call: { '(__proto__)': { a: 'b' }, text: 'one\u2028two "__proto__":1' },
  });
});

test('a log with correct hashes that contradicts the records is reported (R-C1)', async () => {
  const approved: Partial<CommandRecord> = {
    call: aCall({ tool: 'echo', args: { text: 'call 1' } }),
    approvedAt: 1,
  };
  const record = ended(aCommandRecord(approved));
  const known = (of: CommandRecord) => new Map([[of.id as string, knownEnding(of) ?? never()]]);
  const outputs = hashOutputs(record.result ?? never());
  const entry = (more: Partial<AuditEntry> = {}) =>
    logOf(anAuditEntry(1, { command_id: record.id, outputs, ...more }));
  const differing = async (file: string): Promise<readonly string[]> =>
    (await verifyAudit(file, { endings: known(record) })).problems.map(({ message }) => message);
  expect(await differing(entry())).toEqual([]);
  expect(await differing(entry({ call: { text: 'other' } }))).toEqual([
    expect.stringContaining('another call'),
  ]);
  expect(await differing(entry({ tool: 'bash' }))).toEqual([expect.stringContaining('another call')]);
  expect(await differing(entry({ result: 'denied' }))).toEqual([
    expect.stringContaining('"denied", not "completed"'),
  ]);
  expect(await differing(entry({ approved_by: 'ben', approved_over: 'cli' }))).toEqual([
    expect.stringContaining('approved by "ben" over "cli", not "auto"'),
  ]);
  const output = { sha256: '0'.repeat(64), bytes: 1 };
  expect(await differing(entry({ outputs: { ...outputs, output } }))).toEqual([
    expect.stringContaining('another output'),
  ]);
  expect(await differing(logOf(anAuditEntry(2)))).toEqual([
    `there is no line for ${record.id}, which has finished`,
  ]);
});

test('the chain must contain a hash that was stored elsewhere', async () => {
  const file = logOf(...three);
  const { head } = await verifyAudit(file);
  append(file, anAuditEntry(4));
  expect((await verifyAudit(file, { head })).problems).toEqual([]);
  const kept = linesOf(file).slice(0, 2);
  writeFileSync(file, `${kept.join('\n')}\n`);
  expect((await verifyAudit(file)).problems).toEqual([]);
  expect((await verifyAudit(file, { head })).problems).toMatchObject([{ line: 2, kind: 'head-missing' }]);
});

function never(): never {
  throw new Error('has not ended');
}
