import { canonicalToolName, getIn } from '@signalbox/core';
import type { SettingsSource } from './settings-source.ts';

const MIB = 1024 ** 2;

/**
 * Values of this machine and of each tool for limits that no file sets, by settings key. Shared files can't exceed
 * them. Computed only if a shared file sets such a limit.
 */
export async function boundsOf(sources: readonly SettingsSource[]): Promise<ReadonlyMap<string, number>> {
  const shared = sources.filter(({ kind }) => kind === 'workspace');
  const bounds = new Map<string, number>();
  if (shared.some(({ value }) => getIn(value, ['sandbox', 'resource_limits']) !== undefined)) {
    const { memoryForFiles, memoryLimitBytes } = await import('@signalbox/sandbox');
    bounds.set('sandbox.resource_limits.max_memory_mb', Math.floor(memoryLimitBytes() / MIB));
    bounds.set('sandbox.resource_limits.max_written_mb', Math.floor(memoryForFiles(undefined) / MIB));
  }
  if (shared.some(({ value }) => getIn(value, ['tools']) !== undefined)) {
    const { catalogue } = await import('@signalbox/tools');
    for (const { name, timeoutMs } of catalogue())
      bounds.set(`tools.${canonicalToolName(name)}.timeout`, timeoutMs);
  }
  return bounds;
}
