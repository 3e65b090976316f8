import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The audit logs of a workspace: that of a coordinator alone, and those of coordinators among others. */
export function auditFilesOf(workspace: string): readonly string[] {
  const folder = join(workspace, '.signalbox');
  const alone = join(folder, 'audit.jsonl');
  const shared = join(folder, 'audit');
  const files = existsSync(shared) ? readdirSync(shared).toSorted() : [];
  return [
    ...(existsSync(alone) ? [alone] : []),
    ...files.filter((name) => name.endsWith('.jsonl')).map((name) => join(shared, name)),
  ];
}
