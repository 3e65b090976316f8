import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CGROUP_VERSIONS } from '../limits/cgroup-version.ts';

/**
 * Whether a process stands in a control group with just this limit of memory: an engine without the right to make
 * such groups starts its containers all the same, without any limit.
 */
export function isLimitedByGroup(pid: number, memoryBytes: number): boolean {
  return CGROUP_VERSIONS.some((version) => {
    try {
      const { memory } = version.parents(readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
      return Number(readFileSync(join(memory, version.memoryLimit), 'utf8')) === memoryBytes;
    } catch {
      // Not this version, or not to be read.
      return false;
    }
  });
}
