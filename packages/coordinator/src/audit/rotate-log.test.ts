import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createManualClock, createMemoryLogger } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anAuditEntry } from '../testing/an-audit-entry.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { archivesOf, chainOf, logsIn } from './audit-chain.ts';
import { GENESIS, writeLine } from './audit-line.ts';
import { openAuditLog, recentAuditLine } from './audit-log.ts';
import { findAudited } from './find-audited.ts';
import { highestFencingToken } from './highest-fencing-token.ts';
import { verifyAudit } from './verify-audit.ts';

const LINE_BYTES = Buffer.byteLength(`${writeLine(anAuditEntry(0), GENESIS).text}\n`);
/** Fits two lines, not three. */
const TWO_LINES = LINE_BYTES * 2 + 50;

function newLog(): string {
  return join(ownFolder(), 'audit.jsonl');
}

function append(
  log: string,
  numbers: readonly number[],
  { maxBytes = TWO_LINES }: Readonly<{ maxBytes?: number }> = {},
): readonly string[] {
  const logger = createMemoryLogger();
  const audit = openAuditLog(log, logger, { clock: createManualClock(), maxBytes });
  for (const number of numbers) audit.append(anAuditEntry(number, { fencing_token: number + 1 }));
  audit.close();
  return logger.lines.map(({ message }) => message);
}

const namesOf = (log: string): readonly string[] => chainOf(log).map((file) => basename(file));

test('a log that would exceed its size becomes an archive, and the chain continues across restarts (S001-39, X-36)', async () => {
  const log = newLog();
  append(log, [0, 1, 2]);
  append(log, [3, 4]);
  expect(namesOf(log)).toEqual(['audit.000001.jsonl', 'audit.000002.jsonl', 'audit.jsonl']);
  expect(await verifyAudit(log)).toMatchObject({ lines: 5, commands: 5, problems: [], torn: [] });
  expect(recentAuditLine(log, anAuditEntry(0).command_id)).toBeDefined();
  expect(await findAudited([log], 'a00000000001', { limit: 5 })).toHaveLength(1);
  expect(await highestFencingToken([log], true)).toBe(5);

  // A line longer than the limit gets its own file.
  append(log, [5], { maxBytes: 10 });
  const [first = '', second = ''] = archivesOf(log);
  writeFileSync(second, readFileSync(second, 'utf8').replace('call 3', 'call 9'));
  expect((await verifyAudit(log)).problems).toMatchObject([
    { file: 'audit.000002.jsonl', line: 2, kind: 'changed' },
  ]);
  rmSync(first);
  expect((await verifyAudit(log)).problems).toMatchObject([
    { file: 'audit.000002.jsonl', line: 1, kind: 'missing-before' },
    { file: 'audit.000002.jsonl', line: 2, kind: 'changed' },
  ]);
});

test('the remains of a crash at the end of a log are hashed into the next line before it becomes an archive', async () => {
  const log = newLog();
  append(log, [0, 1]);
  writeFileSync(log, `${readFileSync(log, 'utf8')}{"ts":"2026-`);
  append(log, [2, 3]);
  expect(namesOf(log)).toEqual(['audit.000001.jsonl', 'audit.jsonl']);
  expect(await verifyAudit(log)).toMatchObject({ commands: 4, problems: [], torn: [3] });
});

test('if no archive can be created, lines continue in the same file', async () => {
  const log = newLog();
  append(log, [0, 1]);
  // A folder blocks the path at which the next file is created.
  mkdirSync(`${log}.next`);
  expect(append(log, [2, 3])).toEqual(['audit log not rotated']);
  expect([namesOf(log), (await verifyAudit(log)).commands]).toEqual([['audit.jsonl'], 4]);
  rmSync(`${log}.next`, { recursive: true });
  append(log, [4]);
  expect(namesOf(log)).toEqual(['audit.000001.jsonl', 'audit.jsonl']);
  expect(await verifyAudit(log)).toMatchObject({ commands: 5, problems: [] });
});

test('a kill before any call of a rotation loses no line, and the next start continues', async () => {
  const program = fileURLToPath(new URL('testing/append-and-die.ts', import.meta.url));
  const killedAt = async (step: number): Promise<boolean> => {
    const log = newLog();
    const child = spawn(process.execPath, [program, log, String(TWO_LINES), String(step)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [[, signal], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
    const given = printed.trimEnd().split('\n').length;
    // Complete as it is, and after the next start.
    const left = await verifyAudit(log);
    expect([step, left.problems, left.commands >= given]).toEqual([step, [], true]);
    expect(logsIn(dirname(log))).toEqual([log]);
    append(log, [7, 8, 9]);
    const report = await verifyAudit(log);
    expect([step, report.problems, report.commands]).toEqual([step, [], left.commands + 3]);
    return signal === 'SIGKILL';
  };
  // fsync, rm, open, rename, rename, close; open, fsync, close of the folder; write.
  const steps = Array.from({ length: 11 }, (_, index) => index + 1);
  expect(await Promise.all(steps.map(killedAt))).toEqual(steps.map((step) => step <= 10));
});
