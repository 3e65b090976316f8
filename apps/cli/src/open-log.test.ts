import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@signalbox/core';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from './open-log.ts';

const SECRET = 'sk-live-4f9a8b7c6d5e';

function open(file: string): ReturnType<typeof openLog> {
  return openLog({ file, redactor: createRedactor({ secrets: [SECRET] }), verbose: false });
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'log.jsonl');
}

test('a log line is one JSON object with its facts, and no secret in it', () => {
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

test('only its owner may read it', () => {
  const file = newFile();
  open(file).info({}, 'opened');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a log that has grown large is put aside once, and goes on in a new file', () => {
  const file = newFile();
  writeFileSync(file, 'old\n');
  truncateSync(file, 17 * 1024 ** 2);
  open(file).info({}, 'new');
  expect(statSync(`${file}.1`).size).toBe(17 * 1024 ** 2);
  expect(readFileSync(file, 'utf8')).toContain('new');
});
