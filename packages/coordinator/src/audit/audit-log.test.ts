import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { createManualClock, createMemoryLogger } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anAuditEntry as entry } from '../testing/an-audit-entry.ts';
import { ownFolder } from '../testing/own-folder.ts';
import type { AuditEntry } from './audit-line.ts';
import { openAuditLog } from './audit-log.ts';
import { verifyAudit } from './verify-audit.ts';

function newFile(): string {
  return join(ownFolder(), 'audit.jsonl');
}

function open(file: string): ReturnType<typeof openAuditLog> {
  return openAuditLog(file, createMemoryLogger(), { clock: createManualClock() });
}

function fill(file: string, count: number): void {
  const log = open(file);
  for (let i = 0; i < count; i++) log.append(entry(i));
  log.close();
}

test('a log is one chain across restarts (S001-39)', async () => {
  const file = newFile();
  fill(file, 3);
  const log = open(file);
  log.append(entry(3));
  log.close();
  expect(await verifyAudit(file)).toMatchObject({ lines: 4, commands: 4, torn: [], problems: [] });
});

test('any change of any line is found and located', async () => {
  const file = newFile();
  fill(file, 5);
  const original = readFileSync(file, 'utf8');
  const lines = original.trimEnd().split('\n');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom(...(Object.keys(entry(0)) as (keyof AuditEntry)[])),
      async (index, key) => {
        const line = JSON.parse(lines[index] ?? '') as Record<string, unknown>;
        line[key] = `${JSON.stringify(line[key])}!`;
        writeFileSync(file, `${lines.with(index, JSON.stringify(line)).join('\n')}\n`);
        expect((await verifyAudit(file)).problems[0]).toMatchObject({ line: index + 1, kind: 'changed' });
      },
    ),
    { numRuns: 60 },
  );
});

test('a removed line and two swapped lines are found', async () => {
  const file = newFile();
  fill(file, 5);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.toSpliced(2, 1).join('\n')}\n`);
  expect((await verifyAudit(file)).problems).toMatchObject([{ line: 3, kind: 'missing-before' }]);
  writeFileSync(
    file,
    `${lines
      .with(1, lines[2] ?? '')
      .with(2, lines[1] ?? '')
      .join('\n')}\n`,
  );
  expect((await verifyAudit(file)).problems.length).toBeGreaterThan(0);
});

test('a log that was removed rejects lines that could never be read', () => {
  const file = newFile();
  fill(file, 1);
  const log = open(file);
  rmSync(file);
  expect(() => {
    log.append(entry(1));
  }).toThrow('it was removed');
  expect(log.flush()).toBe(false);
  log.close();
  expect(existsSync(file)).toBe(false);
});

test('a second line for a command is found', async () => {
  const file = newFile();
  const log = open(file);
  log.append(entry(1));
  log.append(entry(1));
  log.close();
  expect((await verifyAudit(file)).problems).toMatchObject([{ line: 2, kind: 'twice' }]);
});

test('a line truncated by a crash at any byte is closed, and the chain continues after it', async () => {
  const file = newFile();
  fill(file, 3);
  const bytes = readFileSync(file);
  const lastStart = bytes.subarray(0, -1).lastIndexOf('\n') + 1;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: lastStart + 1, max: bytes.length - 1 }), async (cut) => {
      writeFileSync(file, bytes.subarray(0, cut));
      const log = open(file);
      log.append(entry(7));
      log.close();
      const report = await verifyAudit(file);
      const whole = cut === bytes.length - 1;
      expect(report).toMatchObject({ problems: [], torn: whole ? [] : [3], commands: whole ? 4 : 3 });
    }),
    { numRuns: 50 },
  );
});

test('a foreign line breaks nothing before or after it and is reported (R-C1)', async () => {
  const file = newFile();
  fill(file, 2);
  appendFileSync(file, 'hello\n');
  const log = open(file);
  log.append(entry(9));
  log.close();
  expect(await verifyAudit(file)).toMatchObject({
    torn: [],
    problems: [{ line: 3, kind: 'foreign' }],
    commands: 3,
  });
});

test('an entry that can’t be written is kept, reported, and written before the next', () => {
  // A file that accepts no bytes: /dev/full fails every write with ENOSPC.
  const log = open('/dev/full');
  expect(() => log.append(entry(1))).toThrow(UnavailableError);
  expect(log.flush()).toBe(false);
});

test('recent lines are found by command id after a restart', () => {
  const file = newFile();
  fill(file, 3);
  const log = open(file);
  expect(log.findRecent(entry(2).command_id)?.call).toEqual({ text: 'call 2' });
  expect(log.findRecent(entry(5).command_id)).toBeUndefined();
  log.close();
});

/** Limits the size of files this process may write; returns whether the machine supports that. */
function limitFiles(bytes: number | 'unlimited'): boolean {
  const argv = ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`];
  return spawnSync('prlimit', argv).status === 0;
}

test.skipIf(!limitFiles('unlimited'))(
  'a disk that fills up inside a line is written on from there when there is space again',
  async () => {
    const file = newFile();
    const log = open(file);
    const ignore = (): void => undefined;
    process.on('SIGXFSZ', ignore);
    try {
      log.append(entry(0));
      limitFiles(statSync(file).size + 100);
      for (const number of [1, 2]) expect(() => log.append(entry(number))).toThrow(UnavailableError);
      expect(log.flush()).toBe(false);
      expect(statSync(file).size).toBeGreaterThan(0);
    } finally {
      limitFiles('unlimited');
      process.off('SIGXFSZ', ignore);
    }
    expect(log.flush()).toBe(true);
    log.append(entry(3));
    log.close();
    expect(await verifyAudit(file)).toMatchObject({ lines: 4, commands: 4, torn: [], problems: [] });
  },
);

test('a complete line whose newline was lost in a crash counts, and the chain continues after it', async () => {
  const file = newFile();
  fill(file, 2);
  writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
  const log = open(file);
  expect(log.findRecent(entry(1).command_id)?.call).toEqual({ text: 'call 1' });
  log.append(entry(2));
  log.close();
  expect(await verifyAudit(file)).toMatchObject({ lines: 3, commands: 3, torn: [], problems: [] });
});

test('a last line of any length is found, so the chain continues after it', async () => {
  const file = newFile();
  const first = open(file);
  first.append(entry(0));
  first.append(entry(1, { call: { text: 'x'.repeat(9 * 1024 * 1024) } }));
  first.close();
  const log = open(file);
  expect(log.findRecent(entry(1).command_id)).toBeDefined();
  log.append(entry(2));
  log.close();
  expect(await verifyAudit(file)).toMatchObject({ commands: 3, problems: [] });
});

test('appended lines are synced a second later, and a closed log accepts none', async () => {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const log = openAuditLog(newFile(), logger, { clock });
  log.append(entry(0));
  log.append(entry(1));
  expect(clock.pendingTimers()).toBe(1);
  await clock.advance(1000);
  expect(clock.pendingTimers()).toBe(0);
  log.append(entry(2));
  log.close();
  log.close();
  expect(clock.pendingTimers()).toBe(0);
  expect(log.flush()).toBe(false);
  expect(() => log.append(entry(3))).toThrow('it is closed');
  expect(logger.lines).toEqual([]);
});

test('lines that were not written when the log was closed are reported to the logger', () => {
  const logger = createMemoryLogger();
  const log = openAuditLog('/dev/full', logger, { clock: createManualClock() });
  expect(() => log.append(entry(0))).toThrow(UnavailableError);
  log.close();
  expect(logger.lines.map(({ message }) => message)).toContain('audit lines lost at the end');
});

test('a file that can’t be opened causes an error with advice', () => {
  expect(() => open('/nonexistent/audit.jsonl')).toThrow(UnavailableError);
});
