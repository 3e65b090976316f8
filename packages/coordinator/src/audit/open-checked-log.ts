import type { CoordinatorOptions } from '../coordinator-options.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { type AuditMismatch, checkAudit } from './check-audit.ts';

const MIB = 1024 * 1024;

/** Opens the audit log of a coordinator, and reports mismatches with the records as an event and in the log. */
export async function openCheckedLog({
  auditFile,
  store,
  events,
  settings,
  logger,
  clock,
  shared,
}: CoordinatorOptions): Promise<{ audit: AuditLog; troubles: readonly AuditMismatch[] }> {
  const maxBytes = settings.monitoring.audit_file_max_mb * MIB;
  const audit = openAuditLog(auditFile, logger, { clock, maxBytes });
  // With several coordinators each has its own log, and the records outlive the files of one machine.
  const troubles =
    shared === undefined
      ? await checkAudit(auditFile, store, {
          kept: settings.execution.execution_history_limit,
          end: audit.end,
        })
      : [];
  for (const trouble of troubles) logger.warn(trouble, 'audit log and records do not fit together');
  if (troubles.length > 0)
    await events.append(
      troubles.map((trouble) => ({ type: 'warning_raised', ...trouble, next: [...trouble.next] })),
    );
  return { audit, troubles };
}
