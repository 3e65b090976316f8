import { join } from 'node:path';
import { logsIn } from '@signalbox/coordinator';

const ALONE = 'audit.jsonl';

/** The audit logs of a workspace: that of a coordinator alone, and those of coordinators among others. */
export function auditFilesOf(workspace: string): readonly string[] {
  const folder = join(workspace, '.signalbox');
  const alone = join(folder, ALONE);
  return [...logsIn(folder).filter((log) => log === alone), ...logsIn(join(folder, 'audit'))];
}
