import type { CommandId, CommandStore } from '@signalbox/core';
import type { AuditLine } from './audit-line.ts';
import { type ChainEnd, readChainEndOf } from './chain-end.ts';
import { findAudited } from './find-audited.ts';
import { differences, knownEnding } from './known-ending.ts';

/** A mismatch between the audit log and the records, as texts of a `warning_raised`. */
export type AuditMismatch = {
  readonly code: 'state-lost' | 'audit-log-changed';
  readonly message: string;
  readonly next: readonly string[];
};

/** Commands and lines that are compared: enough to detect that one of the two was replaced or removed. */
const MAX_COMPARED = 20;

/**
 * Compares the end of the audit log with the records of a workspace with one coordinator: its last lines, and the last
 * commands that ended. `audit verify` compares everything.
 */
export async function checkAudit(
  log: string,
  store: Pick<CommandStore, 'get' | 'list'>,
  { kept, end = readChainEndOf(log) }: Readonly<{ kept: number; end?: ChainEnd }>,
): Promise<readonly AuditMismatch[]> {
  const compared = Math.min(MAX_COMPARED, Math.floor(kept / 2));
  const records = await store.list({ states: ['done'], limit: compared });
  const troubles: AuditMismatch[] = [];
  const { unknown, other } = await compareLines(runIn(end).slice(-compared), store);
  if (unknown > 0) {
    troubles.push({
      code: 'state-lost',
      message: `The records (.signalbox/state.db) lack ${unknown} of the last ${count(runIn(end).slice(-compared).length)} in the audit log: they were lost, emptied or replaced`,
      next: ['signalbox audit   lists what was run; pending approvals and the history are lost'],
    });
  }
  const missing = await countMissing(records, log, end);
  const mismatches = [
    ...(missing > 0 ? [`it lacks ${missing} of the last ${count(records.length)} in the records`] : []),
    ...(end.isBroken ? ['a line near its end was changed or removed'] : []),
    ...(other > 0 ? [`${other} of its last lines differ from the records`] : []),
  ];
  if (mismatches.length > 0) {
    troubles.push({
      code: 'audit-log-changed',
      message: `The audit log (.signalbox/audit.jsonl) was changed outside Signalbox: ${mismatches.join('; ')}`,
      next: ['signalbox audit verify'],
    });
  }
  return troubles;
}

/** Lines of commands that ran: each of them was stored before it began. */
function runIn({ lines }: ChainEnd): readonly AuditLine[] {
  return lines.filter(({ fencing_token: token }) => token !== null);
}

async function compareLines(
  lines: readonly AuditLine[],
  store: Pick<CommandStore, 'get'>,
): Promise<{ readonly unknown: number; readonly other: number }> {
  let unknown = 0;
  let other = 0;
  for (const line of lines) {
    const record = await store.get(line.command_id);
    if (record === null) {
      unknown += 1;
      continue;
    }
    // A command interrupted by a crash before its end is settled according to its line.
    const known = knownEnding(record);
    if (known !== null && differences(line, known).length > 0) other += 1;
  }
  return { unknown, other };
}

type Records = Awaited<ReturnType<CommandStore['list']>>;

/** Number of these commands without a line; 1 stands for any number if the log is long. */
async function countMissing(records: Records, log: string, end: ChainEnd): Promise<number> {
  const found = new Set<CommandId>(end.lines.map(({ command_id: id }) => id));
  const absent = records.filter(
    // Its line could not be written, and its caller was told.
    ({ id, result }) => !found.has(id) && result?.failure?.code !== 'audit-unavailable',
  );
  if (end.isWhole) return absent.length;
  for (const { id } of absent) {
    const [line] = await findAudited([log], id.replace(/^cmd_/, ''), { limit: 1 });
    if (line === undefined) return 1;
  }
  return 0;
}

function count(commands: number): string {
  return commands === 1 ? 'command' : `${commands} commands`;
}
