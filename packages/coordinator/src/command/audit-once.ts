import type { CommandId } from '@signalbox/core';
import type { AuditLine } from '../audit/audit-line.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import type { ModeService } from '../mode/mode-service.ts';
import { auditEntryOf } from './audit-entry-of.ts';
import { resultWithoutRun, type Redact } from './command-result.ts';
import { outcomeOfAuditLine } from './outcome/outcome-of-audit-line.ts';
import { refusals } from './outcome/refusals.ts';
import type { RunnerDependencies } from './runner-dependencies.ts';

/** Writes one line for each command, and returns the same answer however often it is asked. */
export function createAuditOnce(
  { tools, logger }: Pick<CoordinatorOptions, 'tools' | 'logger'>,
  own: {
    readonly audit: AuditLog;
    readonly modes: Pick<ModeService, 'current'>;
    readonly redact: Redact;
    readonly auditLineOf: (id: CommandId) => AuditLine | undefined;
  },
): Pick<RunnerDependencies, 'audit' | 'auditedOutcome'> & { readonly forget: (id: CommandId) => void } {
  const { audit, modes, redact, auditLineOf } = own;
  const audited = new Map<CommandId, Awaited<ReturnType<RunnerDependencies['audit']>>>();

  return {
    async audit(record, result, confirm) {
      const before = audited.get(record.id);
      if (before !== undefined) return before;
      if (auditLineOf(record.id) !== undefined) return result;
      const isShell = tools.get(record.call.tool)?.shellLine !== undefined;
      const entry = auditEntryOf(record, result, { mode: (await modes.current()).mode, isShell, redact });
      await confirm();
      let answer = result;
      try {
        audit.append(entry);
      } catch (error) {
        logger.error({ commandId: record.id, error }, 'audit unavailable');
        const { latencyMs, waitedMs, approvalMs, endedAt } = result;
        const notAudited = resultWithoutRun(record, refusals.auditUnavailable(), { endedAt, redact });
        answer = { ...notAudited, latencyMs, waitedMs, approvalMs };
      }
      audited.set(record.id, answer);
      return answer;
    },

    auditedOutcome(id) {
      const line = auditLineOf(id);
      return line === undefined ? undefined : outcomeOfAuditLine(line);
    },

    forget: (id) => void audited.delete(id),
  };
}
