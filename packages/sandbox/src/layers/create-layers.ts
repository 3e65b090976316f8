import { SandboxError } from '@signalbox/core';
import { type SandboxContext, createSandboxContext } from '../sandbox-context.ts';
import { createNameGuard, type NameGuard } from '../direct/guard-names.ts';
import { guarded } from '../direct/guarded.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createBindLayer } from './bind.ts';
import { type TriedLayer, tryLayer } from './choose-layer.ts';
import { createContainerLayer } from './container.ts';
import type { Layer } from './layer.ts';
import { createMacosLayer } from './macos.ts';
import { createOverlayLayer } from './overlay.ts';
import { createShadowGit, type ShadowGit, shadowsIn } from '../shadow-git/shadow-git.ts';
import { tracked } from './tracked.ts';
import { createUnconfinedLayer } from './unconfined.ts';

/** The layers that may be used, the best first. Without confinement is the last of several, where a person said so. */
export function createLayers(place: SandboxContext, options: ExecutorOptions): readonly [Layer, ...Layer[]] {
  const guard = createNameGuard(options);
  const layers = confinedLayers(place, options, guard);
  // Each a transaction, or nothing.
  const isLast = options.confinement === 'where-possible' && options.transactions !== 'required';
  return isLast ? [...layers, guarded(createUnconfinedLayer(place, options), guard, options)] : layers;
}

function confinedLayers(
  place: SandboxContext,
  options: ExecutorOptions,
  guard: NameGuard,
): readonly [Layer, ...Layer[]] {
  const isElsewhere = options.confinement === 'off-by-operator' || options.sandboxRuntime === 'only';
  if (isElsewhere && options.transactions === 'required') throw noTransactions();
  if (options.confinement === 'off-by-operator')
    return [guarded(createUnconfinedLayer(place, options), guard, options)];
  if (options.sandboxRuntime === 'only') return [guarded(createMacosLayer(place, options), guard, options)];
  const bind = guarded(createBindLayer(place, options), guard, options);
  const overlay = createOverlayLayer(place, bind, options);
  const others = [...macosLayers(place, options), ...containerLayers(place, options)];
  const direct = [bind, ...others.map((layer) => guarded(layer, guard, options))] as const;
  switch (options.transactions ?? 'off') {
    case 'required':
      return [overlay];
    case 'where-possible': {
      const shadow = shadowOf(options);
      return [overlay, ...direct.map((layer) => tracked(layer, shadow, options.workspace))];
    }
    case 'off':
      return direct;
  }
}

function noTransactions(): SandboxError {
  return new SandboxError('Cannot run commands: the settings want each to be a transaction, which needs L1', {
    why: ['tools.shell.snapshot_required is true', 'another layer, or none, was asked for'],
    next: ['Run without that flag, or set tools.shell.snapshot_required to false'],
  });
}

function containerLayers(place: SandboxContext, options: ExecutorOptions): Layer[] {
  const { container } = options;
  return container === undefined ? [] : [createContainerLayer(place, container, options)];
}

function macosLayers(place: SandboxContext, options: ExecutorOptions): Layer[] {
  return process.platform === 'darwin' ? [createMacosLayer(place, options)] : [];
}

function shadowOf({ workspace, stateFolder, path, writer }: ExecutorOptions): ShadowGit {
  const folder = `${shadowsIn(stateFolder)}/${writer?.id ?? 'alone'}`;
  return createShadowGit({ workspace, folder, stateFolder, path });
}

/** Tries every layer of this machine, the best first, whatever the settings choose. */
export async function tryLayers(options: ExecutorOptions): Promise<readonly TriedLayer[]> {
  const place = createSandboxContext({ ...options, standby: 0 });
  const tried: TriedLayer[] = [];
  for (const layer of createLayers(place, { ...options, transactions: 'where-possible' })) {
    tried.push(await tryLayer(layer));
  }
  await place.close();
  return tried;
}
