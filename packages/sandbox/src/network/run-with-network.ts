import { type HostPattern, type Isolation, SandboxError } from '@signalbox/core';
import { ownAccount } from '../account.ts';
import { findBubblewrap } from '../bubblewrap/bubblewrap.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import type { Layer } from '../layers/layer.ts';
import { createGates, type OpenGate } from './gate.ts';
import { createNetworkNamespace } from './network-namespace.ts';
import { resolveByMachine } from './resolve.ts';

/**
 * Runs a command of a layer with the network it requested, and removes that when it is dead.
 *
 * @throws {SandboxError} when it requested hosts and no gate can be opened; nothing was run
 */
export function createRunWithNetwork(options: ExecutorOptions): (layer: Layer) => Layer['run'] {
  const openGate = gatesOf(options);

  return (layer) => async (request, hooks, isolation) => {
    const { network } = request;
    if (network === 'off' || layer.name === 'none') return layer.run(request, hooks, isolation);
    if (network === 'on') return layer.run(request, hooks, { ...isolation, net: UNWATCHED });
    const { hosts, services = [] } = network;
    if (!BEHIND_A_GATE.has(layer.name)) {
      if (hosts.length === 0 && services.length > 0)
        return layer.run({ ...request, network: 'off' }, hooks, isolation);
      throw new SandboxError(`Cannot filter the network of a command in the layer "${layer.name}"`);
    }
    const gate = await openGate({
      hosts,
      services,
      onConnection: (use) => hooks.onConnection?.(use),
    });
    let execution: Awaited<ReturnType<Layer['run']>>;
    let uses: ReturnType<typeof gate.close> = [];
    try {
      execution = await layer.run({ ...request, gate }, hooks, {
        ...isolation,
        net: gatedTo([...hosts, ...services]),
      });
    } finally {
      uses = gate.close();
    }
    return { ...execution, network: uses };
  };
}

/** Layers whose commands enter a namespace we create. */
const BEHIND_A_GATE: ReadonlySet<Layer['name']> = new Set(['overlay', 'bind']);

const UNWATCHED: Isolation['net'] = { strength: 'off', why: 'The call was given the network' };
const MAX_LISTED = 10;

function gatedTo(hosts: readonly HostPattern[]): Isolation['net'] {
  const listed = [...hosts.slice(0, MAX_LISTED), ...(hosts.length > MAX_LISTED ? ['…'] : [])];
  return { strength: 'enforced', why: `Through a gate to these hosts only: ${listed.join(', ')}` };
}

function gatesOf(options: ExecutorOptions): OpenGate {
  const bubblewrap =
    options.bubblewrap ?? findBubblewrap(options.path, options.workspace) ?? '/usr/bin/bwrap';
  return createGates({
    createNamespace: (ports) => createNetworkNamespace({ bubblewrap, uid: ownAccount().uid, ports }),
    resolve: options.resolve ?? resolveByMachine,
    clock: options.clock,
  });
}
