import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@signalbox/core';
import { expect, onTestFinished, test } from 'vitest';
import type { LogFileState } from './log-file.ts';
import { openLog } from './open-log.ts';

const SECRET = 'sk-live-4f9a8b7c6d5e';

function open(file: string): ReturnType<typeof openLog> {
  return openLog({ file, redactor: createRedactor({ secrets: [SECRET] }), verbose: false });
}

function openSmall(file: string): ReturnType<typeof openLog> {
  return openLog({ file, redactor: createRedactor({ secrets: [] }), verbose: false, maxBytes: 2000 });
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'log.jsonl');
}

test('a log line is one JSON object with its facts, and no secret in it (S000-94, U-16)', () => {
  const file = newFile();
  const log = open(file);
  log.info({ commandId: 'cmd_1', header: `Bearer ${SECRET}` }, 'command ended');
  log.child({ session: 's' }).error({ error: new Error(`refused: ${SECRET}`) }, 'turn failed');
  log.debug({}, 'not asked for');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(SECRET);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { commandId: 'cmd_1', msg: 'command ended' },
    { session: 's', msg: 'turn failed', error: { type: 'Error' } },
  ]);
});

test('only the owner of a log may read it', () => {
  const file = newFile();
  open(file).info({}, 'opened');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a large log is rotated while it is written, by whichever process writes next', () => {
  const file = newFile();
  writeFileSync(file, 'old\n');
  truncateSync(file, 17 * 1024 ** 2);
  open(file).info({}, 'new');
  expect(statSync(`${file}.1`).size).toBe(17 * 1024 ** 2);
  expect(readFileSync(file, 'utf8')).toContain('new');

  const [one, other] = [0, 1].map(() => openSmall(file));
  for (let n = 0; n < 30; n++) {
    one?.info({ n }, 'of one');
    other?.info({ n }, 'of the other');
  }
  const lines = [`${file}.1`, file].flatMap((part) => readFileSync(part, 'utf8').trimEnd().split('\n'));
  const last = lines.slice(-6).map((line) => JSON.parse(line) as { n: number; msg: string });
  expect(last.map(({ n, msg }) => `${n} ${msg}`)).toEqual([
    '27 of one',
    '27 of the other',
    '28 of one',
    '28 of the other',
    '29 of one',
    '29 of the other',
  ]);
  expect(statSync(file).size).toBeLessThan(3000);
});

test('a log that cannot be written drops its lines, reports that once, and counts the missing lines (F-B3)', () => {
  const folder = join(newFile(), '..', 'later');
  const file = join(folder, 'log.jsonl');
  const states: LogFileState[] = [];
  const log = openLog({
    file,
    redactor: createRedactor({ secrets: [] }),
    verbose: false,
    onChanged: (state) => states.push(state),
  });
  log.info({}, 'one');
  log.child({ a: 1 }).error({ error: new Error('odd') }, 'two');
  expect(states).toMatchObject([{ kind: 'not-written', file }]);
  mkdirSync(folder);
  log.info({}, 'three');
  expect(states.slice(1)).toEqual([{ kind: 'written', file, dropped: 2 }]);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1);
});

test('a log that is removed or moved away continues in a new file', () => {
  const file = newFile();
  const log = open(file);
  log.info({}, 'before');
  rmSync(file);
  log.info({}, 'after');
  expect(readFileSync(file, 'utf8')).toContain('after');
});
