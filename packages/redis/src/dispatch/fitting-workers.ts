import { type NodeRecord, SandboxError } from '@signalbox/core';

/** How long an execution waits for a worker with the labels it needs. */
export const WORKER_WITHIN_MS = 30_000;

/** Workers that have all of these labels and slots; a draining worker has none. */
export function fittingWorkers(
  living: readonly NodeRecord[],
  wanted: readonly string[],
): readonly NodeRecord[] {
  return living.filter(
    ({ kind, labels, concurrency }) =>
      kind === 'worker' && concurrency > 0 && wanted.every((label) => labels.includes(label)),
  );
}

export function noWorker(labels: readonly string[]): SandboxError {
  const with_ = labels.length === 0 ? '' : ` with ${labels.map((label) => `"${label}"`).join(' and ')}`;
  return new SandboxError(`Cannot run this: no worker${with_} is available`, {
    why: [`waited ${WORKER_WITHIN_MS / 1000} s for one`],
    next: [
      `signalbox worker${labels.length === 0 ? '' : ` --labels ${labels.join(',')}`}`,
      'signalbox status',
    ],
  });
}
