import {
  type CommandId,
  type CommandRecord,
  InvariantError,
  type Readings,
  type SessionId,
} from '@signalbox/core';
import type { AuditLine } from '../audit/audit-line.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import type { ChangedSinceRead } from '../execution/changed-since-read.ts';
import { createConnectionEvents } from '../execution/connection-events.ts';
import { createLiveOutput } from '../execution/live-output.ts';
import { whyWritesDenied } from '../execution/why-writes-denied.ts';
import { confinementOf, type createDenials } from '../judging/confinement-of.ts';
import { questionOf } from '../judging/judge-call.ts';
import { createOwnOutputs } from '../output/own-outputs.ts';
import type { ShownOutputs } from '../output/shown-outputs.ts';
import { asJudged } from './as-judged.ts';
import { executeCall } from './execute-call.ts';
import type { LifeParts } from './life-parts.ts';

/** Starts the execution of a command that holds its lease, confined as settings and its call say. */
export function createStart(
  options: CoordinatorOptions,
  parts: {
    readonly readingsOf: (session: SessionId) => Readings;
    readonly shownOutputs: ShownOutputs;
    readonly denialOf: ReturnType<typeof createDenials>;
    readonly redact: (text: string) => string;
    /** Whether tool, arguments and policy are still those that it was judged by. */
    readonly isJudged: (record: CommandRecord) => boolean;
    readonly auditLineOf: (id: CommandId) => AuditLine | undefined;
    readonly changes: Pick<ChangedSinceRead, 'note'>;
  },
): LifeParts['execute'] {
  const { policy, redactor, settings, clock, logger } = options;
  const connectionEvents = createConnectionEvents({ ...options, redact: parts.redact });
  return (record, hold) => {
    const tool = options.tools.get(record.call.tool);
    if (tool === undefined)
      throw new InvariantError(`Cannot execute ${record.id}: tool "${record.call.tool}" is gone`);
    const { provider, timeoutMs } = record.context;
    const { denyRead, ...confinement } = confinementOf(settings, {
      tool,
      provider,
      verdict: record.verdict,
      agreed: policy.agreedHosts,
      trust: record.context.trust,
      timeoutMs: {
        call: timeoutMs ?? tool.requestedTimeoutMs?.(record.call.args),
        tool: policy.timeoutOf(tool),
      },
    });
    const output = createLiveOutput({
      commandId: record.id,
      provider,
      events: options.events,
      clock,
      logger,
      redacted: redactor.stream,
    });
    const call = executeCall({
      ...options,
      record,
      tool: asJudged(tool, () => parts.isJudged(record)),
      hold,
      output,
      readings: parts.readingsOf(record.context.sessionId),
      outputs: createOwnOutputs(record.context, {
        recordOf: options.store.get,
        auditedOf: parts.auditLineOf,
        shown: parts.shownOutputs,
      }),
      env: settings.sandbox.env_vars,
      ...confinement,
      isDenied: parts.denialOf(denyRead),
      deniedPatterns: denyRead,
      onConnection: connectionEvents({ id: record.id, provider }),
      whyDenied: (changes) => {
        // From here on others may see them, before the command has ended.
        parts.changes.note(record, changes);
        return whyWritesDenied(changes, {
          policy,
          question: questionOf(tool, record, { ...options, mode: settings.mode }),
          isGranted: record.approval?.status === 'granted',
        });
      },
      onConflict: settings.tools.shell.on_conflict,
      retry: { attempts: settings.tools.retry.max_attempts, waitMs: settings.tools.retry.base_ms },
    });
    return { call, output };
  };
}
