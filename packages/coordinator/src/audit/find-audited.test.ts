import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandId, defaultSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { anAuditEntry } from '../testing/an-audit-entry.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { type AuditEntry, GENESIS, writeLine } from './audit-line.ts';
import { findAudited } from './find-audited.ts';
import { findForgotten } from './forgotten.ts';

function lineOf(id: string, more: Partial<AuditEntry> = {}): string {
  const ts = '2026-01-01T09:12:03.000Z';
  const entry = anAuditEntry(0, {
    ts,
    command_id: CommandId.parse(`cmd_${id}`),
    call: { text: 'a' },
    ...more,
  });
  return `${writeLine(entry, GENESIS).text}\n`;
}

const idOf = (number: number): string => `a${String(number).padStart(11, '0')}`;

function logOf(...lines: readonly string[]): string {
  const file = join(ownFolder(), 'audit.jsonl');
  writeFileSync(file, lines.join(''));
  return file;
}

async function found(files: readonly string[], prefix: string, more = {}): Promise<readonly string[]> {
  const lines = await findAudited(files, prefix, { limit: 20, ...more });
  return lines.map(({ command_id }) => command_id);
}

test('a line is found by an id prefix, wherever it is and in any log', async () => {
  // Several MiB, so that lines span the chunks in which the file is read.
  const filler = { call: { text: 'x'.repeat(9973) } };
  const many = Array.from({ length: 400 }, (_, number) => lineOf(idOf(number), filler));
  const long = lineOf('c00000000000', { call: { text: 'x'.repeat(2_500_000) } });
  const files = [logOf(lineOf('b00000000000'), long, lineOf('d00000000000')), logOf(...many)];
  // 101 lines are a chunk: this covers all positions in one.
  for (let number = 0; number < 400; number += 13)
    expect(await found(files, idOf(number))).toEqual([`cmd_${idOf(number)}`]);
  expect(await found(files, 'b000')).toEqual(['cmd_b00000000000']);
  expect(await found(files, 'c000')).toEqual(['cmd_c00000000000']);
  expect(await found(files, 'zzz')).toEqual([]);
  expect(await found([join(ownFolder(), 'none.jsonl')], 'b000')).toEqual([]);
});

test('ids in the arguments of other commands, torn lines and odd prefixes are not found', async () => {
  const file = logOf(
    lineOf('b00000000000', { call: { text: '"command_id":"cmd_c00000000000"' } }),
    '{"command_id":"cmd_c00000000000", torn\n',
  );
  appendFileSync(file, '{"command_id":"cmd_c00000000000"');
  expect(await found([file], 'c000')).toEqual([]);
  expect(await found([file], '')).toEqual([]);
  expect(await found([file], 'b"')).toEqual([]);
});

test('reading stops at the byte bound, and the result at the limit', async () => {
  const filler = { call: { text: 'x'.repeat(400_000) } };
  const file = logOf(...[...Array(10).keys()].map((number) => lineOf(idOf(number), filler)));
  expect(await found([file], idOf(0), { maxBytes: 2 * 1024 ** 2 })).toEqual([]);
  expect(await found([file], idOf(9), { maxBytes: 2 * 1024 ** 2 })).toEqual([`cmd_${idOf(9)}`]);
  expect(await found([file], 'a', { limit: 3 })).toEqual([9, 8, 7].map((n) => `cmd_${idOf(n)}`));
});

test('for a dropped command the responsible settings and its audit line are shown (U-B7)', async () => {
  const files = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((path) => ({ path, kind: 'modified' }));
  const file = logOf(lineOf('b00000000000', { approved_by: 'ana', files }));
  expect(await findForgotten({ auditFile: file, settings: defaultSettings() }, 'b00')).toEqual([
    {
      id: 'cmd_b00000000000',
      provider: 'openai',
      why: [
        'the history keeps 7 days and 2 GiB of commands (execution.history_max_age, execution.history_max_mb), and the last 1,000 at least (execution.execution_history_limit)',
        'the audit log has it: 2026-01-01T09:12:03.000Z openai echo completed, approved by ana; files: a.ts, b.ts, c.ts and 1 more',
      ],
    },
  ]);
});
