import type { CommandRecord } from '@signalbox/core';

/** One record per line, as stored. */
export function historyJsonl(records: readonly CommandRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const COLUMNS: readonly (readonly [name: string, of: (record: CommandRecord) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['session_id', ({ context }) => context.sessionId],
  ['provider', ({ context }) => context.provider],
  ['tool', ({ call }) => call.tool],
  ['title', ({ title }) => title],
  ['level', ({ verdict }) => verdict?.level ?? null],
  ['ruling', ({ ruling }) => ruling?.kind ?? null],
  ['rule', ({ ruling }) => ruling?.rule ?? null],
  ['approval', ({ approval }) => approval?.status ?? null],
  ['outcome', ({ result }) => result?.outcome.kind ?? null],
  ['exit_code', ({ result }) => result?.exitCode ?? null],
  ['submitted_at', ({ submittedAt }) => new Date(submittedAt).toISOString()],
  ['ended_at', ({ endedAt }) => (endedAt === null ? null : new Date(endedAt).toISOString())],
  ['duration_ms', ({ result }) => result?.durationMs ?? null],
  ['waited_ms', ({ result }) => result?.waitedMs ?? null],
  ['approval_ms', ({ result }) => result?.approvalMs ?? null],
  ['files', ({ result }) => (result?.files ?? []).map(({ kind, path }) => `${kind} ${path}`).join('; ')],
];

/** RFC 4180, with a header. Text that a spreadsheet would take for a formula is prefixed with an apostrophe. */
export function historyCsv(records: readonly CommandRecord[]): string {
  const rows = records.map((record) => COLUMNS.map(([, of]) => of(record)));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
