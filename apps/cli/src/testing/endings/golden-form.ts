import { failureOf } from '@signalbox/core';
import type { EndingViews } from './receivers.ts';

/** What only the sender of a command receives, and what was counted. */
export type CommandAnswers = Readonly<{
  /** The text in the model's next request; null: no model sent it. */
  model: string | null;
  metrics: Readonly<Record<string, number>>;
  /** The same line sent by `signalbox exec`: exit code and both streams; null: it is no shell line. */
  exec: Readonly<{ exit: number; out?: string; talk?: string }> | null;
}>;

/** What every receiver gets, in a form that is the same each time. */
export function goldenForm(
  { http, output, row, explained, audit, log, events }: EndingViews,
  { model, metrics, exec, workspace }: CommandAnswers & Readonly<{ workspace: string }>,
): unknown {
  const { record } = http;
  const { result, ruling, approval, state } = record;
  const answered = {
    'the model reads': model,
    'GET /api/commands/ID': {
      status: http.status,
      state,
      published: Reflect.get(record, 'status') as unknown,
      level: record.verdict?.level ?? null,
      ruling: ruling === null ? null : `${ruling.kind} ${ruling.rule}`,
      approval: approval?.status ?? null,
      success: result?.success,
      outcome: result?.outcome.kind,
      failure: result === null ? null : (failureOf(result.outcome) ?? null),
      exitCode: result?.exitCode,
      content: result?.content,
      stdout: result?.stdout,
      stderr: result?.stderr,
      files: result?.files.map(({ path, kind }) => `${kind} ${path}`),
    },
    'signalbox exec': exec,
    'signalbox output': output,
    'signalbox history': row,
    'signalbox policy explain':
      explained === null ? null : `${explained.ruling.kind} ${explained.ruling.rule}`,
    'audit.jsonl': audit,
    'log.jsonl': log,
    events: events.map(({ id: _id, at: _at, ...event }) =>
      'verdict' in event ? { ...event, verdict: event.verdict.level } : event,
    ),
    '/metrics': metrics,
  };
  return normal(answered, { record, workspace });
}

/** Keys whose numbers vary; 0 and null stay, since they say that it never ran. */
const VARIES = /(Ms|_ms|At|pid|Token|_token)$/;
/** Keys whose text varies. */
const STAMPS: ReadonlySet<string> = new Set([
  'at',
  'ts',
  'callHash',
  'prev',
  'hash',
  'sha256',
  'claims',
  'stack',
]);

function normal(
  value: unknown,
  of: Readonly<{ record: EndingViews['http']['record']; workspace: string; key?: string }>,
): unknown {
  const { key = '', ...command } = of;
  if (Array.isArray(value) && key !== 'claims') return value.map((one) => normal(one, command));
  if (typeof value === 'number') return value !== 0 && VARIES.test(key) ? 'N' : value;
  if (value === null) return null;
  if (STAMPS.has(key)) return '…';
  if (typeof value === 'string') return normalText(value, command);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      one === undefined ? [] : [[name, normal(one, { ...command, key: name })]],
    ),
  );
}

function normalText(
  text: string,
  { record, workspace }: Readonly<{ record: EndingViews['http']['record']; workspace: string }>,
): string {
  const short = record.id.slice('cmd_'.length, 'cmd_'.length + 4);
  return (
    text
      .replaceAll(workspace, 'WORKSPACE')
      .replaceAll(process.execPath, 'node')
      .replaceAll(/cmd_\w{12}/g, 'cmd_ID')
      .replaceAll(/ses_\w{12}/g, 'ses_ID')
      .replaceAll(new RegExp(`\\b${short}\\b`, 'g'), 'ID')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, 'WHEN')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'WHEN')
      .replaceAll(/\b\d+:\d\d(\.\d)?\b/g, 'M:SS')
      .replaceAll(/· \d+(\.\d+)? (ms|s)\b/g, '· TIME')
      .replaceAll(/(free in|waited) \d+ s/g, '$1 N s')
      .replaceAll(/(more than )?\d+ MiB of memory/g, 'N MiB of memory')
      .replaceAll(/(max_memory_mb) \d+/g, '$1 N')
      .replaceAll(/version [0-9a-f]{12}/g, 'version V')
      // Only a lone coordinator knows that.
      .replaceAll(' was changed outside Signalbox (', ' was changed (')
      .replaceAll(/[0-9a-f]{64}/g, 'SHA-256')
  );
}
