import type { ForgottenCommand, Settings } from '@signalbox/core';
import type { AuditLine } from './audit-line.ts';
import { findAudited } from './find-audited.ts';
import { ageText, mebibytesText } from '../age-text.ts';

/** Ids that are looked up: two would be enough to know that a prefix is not unique. */
const MAX_NOTES = 20;

/**
 * Dropped commands with this id prefix (after the `cmd_`) that the audit log still has; bounded as {@link findAudited}.
 */
export async function findForgotten(
  of: {
    readonly auditFile: string;
    /** Default: only `auditFile`. */
    readonly auditFiles?: () => readonly string[];
    readonly settings: Pick<Settings, 'execution'>;
  },
  prefix: string,
): Promise<readonly ForgottenCommand[]> {
  const { execution } = of.settings;
  const lines = await findAudited(of.auditFiles?.() ?? [of.auditFile], prefix, { limit: MAX_NOTES });
  return lines.map((line) => ({
    id: line.command_id,
    provider: line.provider,
    why: [keptText(execution), auditText(line)],
  }));
}

function keptText({
  history_max_age,
  history_max_mb,
  execution_history_limit,
}: Settings['execution']): string {
  const size = mebibytesText(history_max_mb);
  const least = execution_history_limit.toLocaleString('en');
  return `the history keeps ${ageText(history_max_age)} and ${size} of commands (execution.history_max_age, execution.history_max_mb), and the last ${least} at least (execution.execution_history_limit)`;
}

const MAX_FILES = 3;

function auditText({ ts, provider, tool, result, approved_by: by, files }: AuditLine): string {
  const named = files.slice(0, MAX_FILES).map(({ path }) => path);
  const more = files.length > named.length ? ` and ${files.length - named.length} more` : '';
  const touched = named.length === 0 ? '' : `; files: ${named.join(', ')}${more}`;
  return `the audit log has it: ${ts} ${provider} ${tool} ${result}${by === null ? '' : `, approved by ${by}`}${touched}`;
}
