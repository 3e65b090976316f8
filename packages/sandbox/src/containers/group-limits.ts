import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CGROUP_VERSIONS } from '../limits/cgroup-version.ts';

/**
 * Whether a process is in a control group with exactly this memory limit. An engine that may not create such
 * groups still starts its containers, without any limit.
 */
export function isLimitedByGroup(pid: number, memoryBytes: number): boolean {
  return CGROUP_VERSIONS.some((version) => {
    try {
      const { memory } = version.parents(readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
      return Number(readFileSync(join(memory, version.memoryLimit), 'utf8')) === memoryBytes;
    } catch {
      // Another cgroup version, or unreadable.
      return false;
    }
  });
}
