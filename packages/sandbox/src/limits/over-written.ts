import type { Execution, LimitHit } from '@signalbox/core';

/** A command that had created more names than allowed when it ended, before they were counted. */
export function overNames(execution: Execution, allowed: number): Execution {
  if (execution.ended.kind === 'limited') return execution;
  return endedBy(execution, { limit: 'max_written_files', allowed, used: null });
}

/**
 * A command whose changes take more bytes in the workspace than allowed: holes and moved folders take little space in
 * the layers but their full size there. None of its changes are kept.
 */
export function overBytes(
  execution: Execution,
  { used, allowed }: Readonly<{ used: number; allowed: number }>,
): Execution {
  const hit = { limit: 'max_written_mb', allowed: mebibytes(allowed), used: mebibytes(used) } as const;
  return { ...endedBy(execution, hit), changes: [] };
}

function endedBy(execution: Execution, hit: LimitHit): Execution {
  const { limitsReached = [] } = execution;
  const others = limitsReached.filter(({ limit }) => limit !== hit.limit);
  return {
    ...execution,
    ended: { kind: 'limited', limit: hit.limit },
    limitsReached: [hit, ...others],
  };
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
