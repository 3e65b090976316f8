import {
  type CommandFilter,
  CommandRecord,
  CommandState,
  EventId,
  type HistoryRetention,
  type OutcomeKind,
  ProviderId,
  type UnfinishedFilter,
} from '@signalbox/core';
import * as z from 'zod';
import { jsonText } from '../json-text.ts';
import { defineScript, luaFile } from '../script.ts';

const totals = [luaFile('store/totals')];

/** Ids and records as JSON, not parsed yet: one of them may be damaged. */
const records = z.array(z.tuple([z.string(), z.string()]));

export const commit = defineScript({
  url: luaFile('store/commit'),
  libraries: [luaFile('events/events'), luaFile('scheduler/entries'), luaFile('jobs')],
  argv: ({
    record,
    events,
    keep,
    topic,
  }: {
    record: CommandRecord;
    events: readonly string[];
    keep: number;
    topic: string;
  }) => [
    record.id,
    record.revision,
    record.state,
    JSON.stringify(record),
    keep,
    record.context.provider,
    record.context.sessionId,
    record.call.tool,
    record.submittedAt,
    record.endedAt ?? '',
    record.result?.outcome.kind ?? '',
    record.result?.durationMs ?? '',
    record.result?.waitedMs ?? '',
    topic,
    record.title,
    ...events,
  ],
  reply: z.union([z.tuple([z.literal('stored')], EventId), z.tuple([z.literal('stale'), z.int()])]),
});

export const list = defineScript({
  url: luaFile('store/list'),
  argv: ({ from, to, limit, ...rest }: CommandFilter) => [
    from ?? '-inf',
    to ?? '+inf',
    limit ?? 100,
    JSON.stringify(rest),
  ],
  reply: records,
});

export const unfinished = defineScript({
  url: luaFile('store/unfinished'),
  argv: ({ states = [], limit = -1 }: UnfinishedFilter) => [limit, ...states],
  reply: records,
});

export const countUnfinished = defineScript({
  url: luaFile('store/count-unfinished'),
  argv: () => [],
  reply: z.array(z.tuple([CommandState, ProviderId, z.int()])),
});

/** `["anthropic","bash","completed"]` and `[commands, duration, waited]`. */
const totalsLine = jsonText.pipe(
  z.tuple([ProviderId, z.string(), z.string().transform((kind) => kind as OutcomeKind)]),
);
const totalsSum = jsonText.pipe(z.tuple([z.int(), z.number(), z.number()]));

export const readTotals = defineScript({
  url: luaFile('store/read-totals'),
  libraries: totals,
  argv: () => [],
  reply: z.array(z.tuple([totalsLine, totalsSum])),
});

export const rotate = defineScript({
  url: luaFile('store/rotate'),
  libraries: totals,
  argv: ({ keep, passed, atOnce }: { keep: HistoryRetention; passed: number; atOnce: number }) => [
    keep.atLeast,
    keep.since,
    keep.maxBytes,
    passed,
    atOnce,
    ...(keep.spared ?? []),
  ],
  reply: z.tuple([z.int(), z.int(), z.int()]),
});
