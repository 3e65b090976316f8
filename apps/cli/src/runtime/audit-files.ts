import { join } from 'node:path';
import { logsIn } from '@signalbox/coordinator';

const ALONE = 'audit.jsonl';

/** Audit logs of a workspace: one of a lone coordinator, and one of each node on Redis. */
export function auditFilesOf(workspace: string): readonly string[] {
  const folder = join(workspace, '.signalbox');
  const alone = join(folder, ALONE);
  return [...logsIn(folder).filter((log) => log === alone), ...logsIn(join(folder, 'audit'))];
}
