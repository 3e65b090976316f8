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

/** The usable layers, best first. The unconfined one is last, if a person allowed it. */
export function createLayers(
  context: SandboxContext,
  options: ExecutorOptions,
): readonly [Layer, ...Layer[]] {
  const guard = createNameGuard(options);
  const layers = confinedLayers(context, options, guard);
  // Transactions are required.
  const isLast = options.confinement === 'where-possible' && options.transactions !== 'required';
  return isLast ? [...layers, guarded(createUnconfinedLayer(context, options), guard, options)] : layers;
}

function confinedLayers(
  context: SandboxContext,
  options: ExecutorOptions,
  guard: NameGuard,
): readonly [Layer, ...Layer[]] {
  const isElsewhere = options.confinement === 'off-by-operator' || options.sandboxRuntime === 'only';
  if (isElsewhere && options.transactions === 'required') throw noTransactions();
  if (options.confinement === 'off-by-operator')
    return [guarded(createUnconfinedLayer(context, options), guard, options)];
  if (options.sandboxRuntime === 'only') return [guarded(createMacosLayer(context, options), guard, options)];
  const bind = guarded(createBindLayer(context, options), guard, options);
  const overlay = createOverlayLayer(context, bind, options);
  const others = [...macosLayers(context, options), ...containerLayers(context, options)];
  const direct = [bind, ...others.map((layer) => guarded(layer, guard, options))] as const;
  switch (options.transactions ?? 'off') {
    case 'required':
      return [overlay];
    case 'where-possible': {
      const shadow = shadowOf(options);
      return [overlay, ...direct.map((layer) => tracked(layer, options.workspace, shadow))];
    }
    case 'off':
      return direct;
  }
}

function noTransactions(): SandboxError {
  return new SandboxError('Cannot run commands: the settings require transactions, which need layer L1', {
    why: ['tools.shell.snapshot_required is true', 'another layer, or none, was requested'],
    next: ['Run without that flag, or set tools.shell.snapshot_required to false'],
  });
}

function containerLayers(context: SandboxContext, options: ExecutorOptions): Layer[] {
  const { container } = options;
  return container === undefined ? [] : [createContainerLayer(context, container, options)];
}

function macosLayers(context: SandboxContext, options: ExecutorOptions): Layer[] {
  return process.platform === 'darwin' ? [createMacosLayer(context, options)] : [];
}

function shadowOf({ workspace, stateFolder, path, writer }: ExecutorOptions): ShadowGit {
  const folder = `${shadowsIn(stateFolder)}/${writer?.id ?? 'alone'}`;
  return createShadowGit({ workspace, folder, stateFolder, path });
}

/** Tries every layer on this machine, best first, whatever the settings choose. */
export async function tryLayers(options: ExecutorOptions): Promise<readonly TriedLayer[]> {
  const context = createSandboxContext({ ...options, standby: 0 });
  const tried: TriedLayer[] = [];
  for (const layer of createLayers(context, { ...options, transactions: 'where-possible' })) {
    tried.push(await tryLayer(layer));
  }
  await context.close();
  return tried;
}
