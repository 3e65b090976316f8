import {
  CommandId,
  FencingToken,
  Lease,
  LeaseId,
  lockEntries,
  type LockMode,
  type NodeId,
  ProviderId,
  type QueueEntry,
} from '@signalbox/core';
import * as z from 'zod';
import { jsonText } from '../json-text.ts';
import { defineScript, luaFile, type ScriptArgument } from '../script.ts';

const libraries = [
  luaFile('scheduler/scoreboard'),
  luaFile('scheduler/entries'),
  luaFile('jobs'),
  luaFile('scheduler/queue'),
];

/** Inside Redis an id has no `cmd_` prefix: in a dozen sets that is 16 bytes each instead of 32. */
const ShortId = z.string().transform((id) => CommandId.parse(`cmd_${id}`));

function shortOf(commandId: CommandId): string {
  return commandId.slice('cmd_'.length);
}

/** A waiting command, as replied by `snapshot`. */
const Waiting = z
  .tuple([
    ShortId,
    jsonText.pipe(Lease.unwrap().shape.claims),
    ProviderId,
    z.number(),
    z.enum(['placeless', '']),
    z.coerce.number(),
    z.array(ShortId),
  ])
  .transform(([commandId, claims, provider, priority, placeless, since, blockers]) => ({
    commandId,
    claims,
    provider,
    priority,
    since,
    blockers,
    ...(placeless === '' ? {} : { placeless: true as const }),
  }));

/** A lease as written by the scripts, with further fields. */
const LeaseText = z.object(Lease.unwrap().shape);

/** The fields that a lease adds to the queue entry, which the asking process knows. */
const GrantedCommand = LeaseText.pick({ fencingToken: true, grantedAt: true, expiresAt: true });
export type GrantedCommand = z.infer<typeof GrantedCommand>;

const Granted = GrantedCommand.extend({ kind: z.literal('granted'), commandId: CommandId, leaseId: LeaseId });
export type Granted = Omit<z.infer<typeof Granted>, 'kind'>;

const Notice = z.discriminatedUnion('kind', [
  Granted,
  z.object({ kind: z.literal('stale'), commandId: CommandId, waitedMs: z.number() }),
  /** This process's own lease expired. */
  z.object({ kind: z.literal('lost'), lease: LeaseText }),
  /** The lease of a dead process: this process must see to its release. */
  z.object({ kind: z.literal('inherited'), lease: LeaseText }),
]);
export type Notice = z.infer<typeof Notice>;

/** `<number> <JSON>`, as replied and published. */
export const NumberedNotice = z.string().transform((text) => {
  const space = text.indexOf(' ');
  return { number: Number(text.slice(0, space)), notice: Notice.parse(JSON.parse(text.slice(space + 1))) };
});
export type NumberedNotice = z.infer<typeof NumberedNotice>;

export type Bounds = {
  readonly maxConcurrent: number;
  readonly leaseTtlMs: number;
  /** Entries passed, and slots filled, in one script call; the rest is left to the next. */
  readonly chunk: number;
};

type KnownLease = {
  readonly leaseId: LeaseId;
  /** Undefined if unknown: then the script searches for it. */
  readonly commandId: CommandId | undefined;
};

function holderOf(commandId: CommandId | undefined): string {
  return commandId === undefined ? '' : shortOf(commandId);
}

const more = z.enum(['more', 'all']);

export const enqueue = defineScript({
  url: luaFile('scheduler/enqueue'),
  libraries: [...libraries, luaFile('format')],
  argv: (input: {
    readonly entry: QueueEntry;
    readonly leaseId: LeaseId;
    readonly owner: string;
    readonly maxQueuePerProvider: number;
    readonly bounds: Bounds;
  }) => [
    shortOf(input.entry.commandId),
    JSON.stringify(input.entry.claims),
    input.entry.provider,
    input.entry.priority,
    input.entry.placeless === true ? 'placeless' : '',
    input.leaseId,
    input.owner,
    input.bounds.maxConcurrent,
    input.maxQueuePerProvider,
    input.bounds.leaseTtlMs,
    input.bounds.chunk,
    ...locksOf(input.entry),
  ],
  reply: z.union([
    z
      .tuple([z.literal('granted'), FencingToken, z.number(), z.number()])
      .transform(([kind, fencingToken, grantedAt, expiresAt]): ['granted', GrantedCommand] => [
        kind,
        { fencingToken, grantedAt, expiresAt },
      ]),
    z.tuple([z.literal('waiting')], ShortId),
    z.tuple([z.literal('refused'), z.int()]),
    z.tuple([z.literal('present')]),
  ]),
});

export const cancel = defineScript({
  url: luaFile('scheduler/cancel'),
  libraries,
  argv: (input: {
    readonly commandId: CommandId;
    readonly bounds: Bounds;
    /** If set, cancels only if it waits for this lease. */
    readonly leaseId?: LeaseId;
  }) => [shortOf(input.commandId), ...valuesOf(input.bounds), input.leaseId ?? ''],
  reply: z.union([z.tuple([z.literal('cancelled'), more]), z.tuple([z.literal('not-waiting')])]),
});

export const prioritize = defineScript({
  url: luaFile('scheduler/prioritize'),
  libraries,
  argv: (input: { readonly commandId: CommandId; readonly priority: number }) => [
    shortOf(input.commandId),
    input.priority,
  ],
  reply: z.enum(['prioritized', 'not-waiting']),
});

export const release = defineScript({
  url: luaFile('scheduler/release'),
  libraries,
  argv: (
    input: KnownLease & {
      readonly bounds: Bounds;
      /** The process whose own grants of this step are in the reply; null: they are published. */
      readonly owner: string | null;
    },
  ) => [input.leaseId, holderOf(input.commandId), ...valuesOf(input.bounds), input.owner ?? ''],
  reply: z.union([z.tuple([z.literal('released'), more], NumberedNotice), z.tuple([z.literal('not-held')])]),
});

export const renew = defineScript({
  url: luaFile('scheduler/renew'),
  libraries,
  argv: ({ leaseId, commandId, leaseTtlMs }: KnownLease & { readonly leaseTtlMs: number }) => [
    leaseId,
    holderOf(commandId),
    leaseTtlMs,
  ],
  reply: z.union([
    z.tuple([z.literal('renewed'), jsonText.pipe(LeaseText)]),
    z.tuple([z.enum(['expired', 'released'])]),
  ]),
});

export const isCurrent = defineScript({
  url: luaFile('scheduler/is-current'),
  libraries,
  argv: ({ leaseId, commandId, fencingToken }: Lease) => [leaseId, shortOf(commandId), fencingToken],
  reply: z.enum(['current', 'stale']),
});

/** Reports to Redis that nothing is left of what was executed under a lost lease, for that coordinator. */
export const reaped = defineScript({
  url: luaFile('scheduler/reaped'),
  libraries,
  argv: (input: { readonly lease: Lease; readonly owner: NodeId; readonly leaseTtlMs: number }) => [
    input.lease.leaseId,
    shortOf(input.lease.commandId),
    input.lease.fencingToken,
    input.owner,
    input.leaseTtlMs,
  ],
  reply: z.union([z.tuple([z.literal('held'), z.int()]), z.tuple([z.enum(['noted', 'running', 'stale'])])]),
});

export const snapshot = defineScript({
  url: luaFile('scheduler/snapshot'),
  libraries,
  argv: (max: number) => [max],
  reply: z.tuple([z.array(jsonText.pipe(LeaseText)), z.array(Waiting)]),
});

export const updates = defineScript({
  url: luaFile('scheduler/notices'),
  libraries,
  argv: ({ owner, got, limit }: { owner: string; got: number; limit: number }) => [owner, got, limit],
  reply: z
    .tuple([z.coerce.number(), z.array(NumberedNotice)])
    .transform(([now, notices]) => ({ now, notices })),
});

export const tick = defineScript({
  url: luaFile('scheduler/tick'),
  libraries,
  argv: ({
    owner,
    got,
    bounds,
    maxWaitMs,
  }: {
    owner: string;
    got: number;
    bounds: Bounds;
    maxWaitMs: number;
  }) => [owner, got, bounds.maxConcurrent, bounds.leaseTtlMs, maxWaitMs, bounds.chunk],
  reply: z
    .tuple([z.coerce.number(), z.coerce.number(), more, z.array(NumberedNotice)])
    .transform(([now, dueMs, rest, notices]) => ({
      now,
      /** Until something is due; null: nothing will be. */
      dueMs: dueMs < 0 ? null : dueMs,
      more: rest === 'more',
      notices,
    })),
});

/** Returns the current epoch; freezes the queue if it changed. */
export const arrive = defineScript({
  url: luaFile('scheduler/arrive'),
  libraries: [luaFile('format')],
  argv: ({ epoch, leaseTtlMs }: { epoch: string; leaseTtlMs: number }) => [epoch, leaseTtlMs],
  reply: z.string(),
});

const MODES: Readonly<Record<LockMode, number>> = { IS: 1, IX: 2, S: 4, X: 8 };

/** `<mode>:<node>`, each once. */
function locksOf({ claims }: QueueEntry): readonly ScriptArgument[] {
  return [...new Set(lockEntries(claims).map(({ node, mode }) => `${MODES[mode]}:${node}`))];
}

function valuesOf({ maxConcurrent, leaseTtlMs, chunk }: Bounds): readonly ScriptArgument[] {
  return [maxConcurrent, leaseTtlMs, chunk];
}
