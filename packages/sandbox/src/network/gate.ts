import { type Clock, type HostPattern, type NetworkUse, parseTarget, type Target } from '@signalbox/core';
import { createAdmission, type Resolve } from './admission.ts';
import { createConnectionLog } from './connection-log.ts';
import { createForward } from './forward.ts';
import type { NetworkNamespace } from './network-namespace.ts';
import { createProxy } from './proxy.ts';

/** The only way out of one command's network, while it runs. */
export type Gate = {
  /** Puts the command into its network; to be followed by its own argv. */
  readonly argv: readonly [string, ...string[]];
  /** Tells programs where the gate is. */
  readonly env: Readonly<Record<string, string>>;
  /** When the command is dead: cuts what is left. Whom it talked to. */
  readonly close: () => readonly NetworkUse[];
};

export type GateRequest = {
  readonly hosts: readonly HostPattern[];
  readonly services: readonly HostPattern[];
  readonly onConnection: (use: NetworkUse) => void;
};

export type OpenGate = (request: GateRequest) => Promise<Gate>;

/** As many wait for the next command as usually run at once; more are made when needed, and not kept. */
const MAX_IDLE = 4;

/**
 * Opens gates. Each command has a network namespace to itself while it runs, so a connection's namespace says
 * whose it is: no password, no forged name, nobody's server on somebody else's port. Namespaces are used again
 * by later commands with the same services, when every process of the earlier one is dead.
 */
export function createGates(options: {
  readonly createNamespace: (ports: readonly number[]) => Promise<NetworkNamespace>;
  readonly resolve: Resolve;
  readonly clock: Clock;
}): OpenGate {
  const idleOf = new Map<string, NetworkNamespace[]>();

  return async ({ hosts, services, onConnection }) => {
    const targets = targetsOf(services);
    const ports = [...targets.keys()];
    const idle = idleOf.get(ports.join()) ?? [];
    idleOf.set(ports.join(), idle);
    const namespace = idle.pop() ?? (await options.createNamespace(ports));
    const log = createConnectionLog(onConnection);
    const forwards = [...targets.values()].map((target) =>
      createForward(target, { log, clock: options.clock }),
    );
    namespace.setServicePorters(forwards.map(({ serve }) => serve));
    const admit = createAdmission(hosts, options.resolve);
    const proxy = createProxy({ admit, log, clock: options.clock });
    namespace.setPorter(proxy.serve);
    return {
      argv: namespace.argv,
      env: environmentOf(namespace.port, hosts),
      close() {
        namespace.setPorter(null);
        namespace.setServicePorters([]);
        for (const one of [proxy, ...forwards]) one.close();
        if (idle.length < MAX_IDLE) idle.push(namespace);
        else namespace.close();
        return log.rows();
      },
    };
  };
}

/** By port: a command finds each on its own 127.0.0.1, so there is one of a port. */
function targetsOf(services: readonly HostPattern[]): ReadonlyMap<number, Target> {
  return new Map(
    services.flatMap((service) => {
      const target = parseTarget(service);
      return target === null ? [] : [[target.port, target] as const];
    }),
  );
}

/** Names of both cases, since some programs read one and some the other (curl reads `http_proxy` alone). */
function environmentOf(port: number, hosts: readonly HostPattern[]): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = hosts.some((pattern) => /^(?:localhost|127\.|\[::1\])/i.test(pattern))
    ? ''
    : 'localhost,127.0.0.1,::1';
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  return {
    ...Object.fromEntries(
      names.flatMap((name) => [
        [name, proxy],
        [name.toUpperCase(), proxy],
      ]),
    ),
    // A server that the command itself starts is on its own loopback.
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: '1',
    ...fetchesByHttps(hosts),
  };
}

const MAX_REWRITTEN = 32;

/** The gate carries no ssh, and there are no keys: git fetches what anybody may read over https in its place. */
function fetchesByHttps(hosts: readonly HostPattern[]): Record<string, string> {
  const names = hosts.flatMap(
    (pattern) => /^([a-z0-9][a-z0-9.-]*)(?::(?:\*|443))?$/i.exec(pattern)?.[1] ?? [],
  );
  const settings = names
    .filter((name) => !/^[\d.]+$/.test(name))
    .slice(0, MAX_REWRITTEN)
    .flatMap((name) => [`git@${name}:`, `ssh://git@${name}/`].map((ssh) => ({ name, ssh })));
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(({ name, ssh }, at) => [
      [`GIT_CONFIG_KEY_${at}`, `url.https://${name}/.insteadOf`],
      [`GIT_CONFIG_VALUE_${at}`, ssh],
    ]),
  ]);
}
