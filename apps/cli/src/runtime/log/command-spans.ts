import { createHash } from 'node:crypto';
import type { CommandId, CommandRecord } from '@signalbox/core';

/** One phase of a command. */
export type CommandSpan = {
  readonly name: 'command' | 'approve' | 'queue' | 'run' | 'execute';
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the span of the whole command. */
  readonly parentId: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed: boolean;
  /** Facts without texts of a model or a person: nothing in them may be secret. */
  readonly attributes: Readonly<Record<string, string | number>>;
};

/** Every process computes the same id for a command, so none has to be sent. */
export function traceIdOf(commandId: CommandId): string {
  return digest(commandId, 'trace', { length: 32 });
}

export function spanIdOf(
  commandId: CommandId,
  name: CommandSpan['name'],
  { more = '' }: Readonly<{ more?: string }> = {},
): string {
  return digest(commandId, name + more, { length: 16 });
}

/** Spans of a finished command: the whole, and its waits and steps. */
export function spansOf(record: CommandRecord): readonly CommandSpan[] {
  const { id, submittedAt, approvedAt, queuedAt, startedAt, endedAt, approval, result } = record;
  if (endedAt === null || result === null) return [];
  const common = { traceId: traceIdOf(id), failed: false };
  const part = (
    name: CommandSpan['name'],
    { from, to }: Readonly<{ from: number | null; to: number | null }>,
  ): readonly CommandSpan[] =>
    from === null || to === null || to < from
      ? []
      : [
          {
            ...common,
            name,
            spanId: spanIdOf(id, name),
            parentId: spanIdOf(id, 'command'),
            startedAt: from,
            endedAt: to,
            attributes: {},
          },
        ];
  const whole: CommandSpan = {
    name: 'command',
    traceId: common.traceId,
    spanId: spanIdOf(id, 'command'),
    parentId: null,
    startedAt: submittedAt,
    endedAt: Math.max(endedAt, submittedAt),
    failed: result.outcome.kind !== 'completed',
    attributes: {
      'signalbox.command.id': id,
      'signalbox.tool': record.call.tool,
      'signalbox.provider': record.context.provider,
      'signalbox.outcome': result.outcome.kind,
      ...(record.verdict === null ? {} : { 'signalbox.level': record.verdict.level }),
      ...(record.lease === null ? {} : { 'signalbox.fencing_token': record.lease.fencingToken }),
      'signalbox.claims': record.claims.length,
    },
  };
  return [
    whole,
    ...(approval === null
      ? []
      : part('approve', { from: submittedAt, to: approvedAt ?? queuedAt ?? endedAt })),
    ...part('queue', { from: queuedAt, to: startedAt ?? endedAt }),
    ...part('run', { from: startedAt, to: endedAt }),
  ];
}

function digest(commandId: CommandId, what: string, { length }: Readonly<{ length: number }>): string {
  return createHash('sha256').update(`${commandId} ${what}`).digest('hex').slice(0, length);
}
