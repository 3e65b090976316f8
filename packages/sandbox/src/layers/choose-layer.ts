import { type Isolation, SandboxError } from '@signalbox/core';
import type { Layer } from './layer.ts';

/** The result of trying a layer. */
export type TriedLayer =
  | { readonly kind: 'holds'; readonly name: Layer['name']; readonly isolation: Isolation }
  | { readonly kind: 'fails'; readonly name: Layer['name']; readonly cause: SandboxError };

export type ChosenLayer = { readonly layer: Layer; readonly isolation: Isolation };

/**
 * Chooses the first layer whose probe succeeds. Its `tracking` says what better ones lack.
 *
 * @throws {SandboxError} when none works; then nothing runs
 */
export async function chooseLayer(layers: readonly [Layer, ...Layer[]]): Promise<ChosenLayer> {
  const failures: SandboxError[] = [];
  for (const layer of layers) {
    const tried = await tryLayer(layer);
    if (tried.kind === 'fails') failures.push(tried.cause);
    else return { layer, isolation: withReason(tried.isolation, failures) };
  }
  const [first, ...others] = failures;
  if (first === undefined || others.length === 0) throw first ?? new SandboxError('Cannot run commands');
  throw new SandboxError('Cannot run commands: no sandbox layer works on this machine', {
    cause: first,
    // One of them may work but can't be probed in this tree.
    isOfCommand: failures.some(({ code }) => code === 'command_not_confined'),
    why: [...new Set(failures.flatMap(({ message, why }) => [message, ...why]))],
    next: [...new Set(failures.flatMap(({ next }) => next))],
  });
}

/** Attempts, so that a temporary failure doesn't leave us with a weaker layer for good. */
const PROBES = 3;

/** Probes a layer, again if it fails. */
export async function tryLayer(layer: Layer): Promise<TriedLayer> {
  for (let left = PROBES - 1; ; left--) {
    const tried = await probe(layer);
    if (tried.kind === 'holds' || left === 0) return tried;
  }
}

async function probe(layer: Layer): Promise<TriedLayer> {
  try {
    return { kind: 'holds', name: layer.name, isolation: await layer.probe() };
  } catch (cause) {
    if (cause instanceof SandboxError) return { kind: 'fails', name: layer.name, cause };
    throw cause;
  }
}

function withReason(isolation: Isolation, failures: readonly SandboxError[]): Isolation {
  if (failures.length === 0 || isolation.tracking.strength === 'enforced') return isolation;
  const facts = failures.flatMap(({ message, why }) => (why.length === 0 ? [message] : why));
  const { strength, why: own } = isolation.tracking;
  const why = [...new Set(own === undefined ? facts : [own, ...facts])].join('; ');
  return { ...isolation, tracking: { strength, why } };
}
