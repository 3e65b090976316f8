import { type CommandView, exportHistory } from '@signalbox/api';
import { Readable } from 'node:stream';
import { allThat, type CommandRecord } from '@signalbox/core';
import { filterOf } from './command-query.ts';
import type { RouteParts, Routes } from '../route-parts.ts';

const COLUMNS = [
  'id',
  'submitted_at',
  'ended_at',
  'provider',
  'session',
  'tool',
  'title',
  'level',
  'ruling',
  'rule',
  'outcome',
  'exit_code',
  'duration_ms',
  'waited_ms',
  'approval_ms',
  'cpu_ms',
  'peak_memory_bytes',
] as const;

/** The stored history as a file: JSON Lines, or a table for a spreadsheet. */
export function historyRoutes(app: Routes, { store, views }: RouteParts): void {
  app.get(
    exportHistory.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Commands that ended, as JSON Lines or CSV',
        description: 'The same filters as the list of commands; output is redacted.',
        tags: ['commands'],
        produces: ['application/jsonl', 'text/csv'],
        ...exportHistory.schema,
      },
    },
    async (request, reply) => {
      const { format } = request.query;
      const { limit: _, ...wanted } = filterOf({ ...request.query, limit: 1 });
      const records = allThat(store, { ...wanted, states: ['done'] });
      const rows = format === 'csv' ? csvOf(records, views.of) : jsonOf(records, views.of);
      return reply
        .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl')
        .header('content-disposition', `attachment; filename="signalbox-history.${format}"`)
        .send(Readable.from(rows));
    },
  );
}

type Cell = string | number | null | undefined;
type ViewOf = (record: CommandRecord) => CommandView;

async function* jsonOf(records: AsyncIterable<CommandRecord>, view: ViewOf): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(view(record))}\n`;
}

async function* csvOf(records: AsyncIterable<CommandRecord>, view: ViewOf): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for await (const record of records) yield `${cellsOf(view(record)).map(cell).join(',')}\n`;
}

function cellsOf({
  id,
  context,
  call,
  title,
  verdict,
  ruling,
  result,
  ...times
}: CommandView): readonly Cell[] {
  return [
    id,
    new Date(times.submittedAt).toISOString(),
    times.endedAt === null ? '' : new Date(times.endedAt).toISOString(),
    context.provider,
    context.sessionId,
    call.tool,
    title,
    verdict?.level,
    ruling?.kind,
    ruling?.rule,
    result?.outcome.kind,
    result?.exitCode,
    result?.durationMs,
    result?.waitedMs,
    result?.approvalMs,
    result?.usage?.cpuMs,
    result?.usage?.peakMemoryBytes,
  ];
}

/** Quoted by RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe. */
function cell(value: Cell): string {
  const text = value === null || value === undefined ? '' : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
