import { type Clock, type HostPattern, type NetworkUse, parseTarget, type Target } from '@signalbox/core';
import { createAdmission, type Resolve } from './admission.ts';
import { createConnectionLog } from './connection-log.ts';
import { createForward } from './forward.ts';
import type { NetworkNamespace } from './network-namespace.ts';
import { createProxy } from './proxy.ts';

/** The only way out of a command's network while it runs. */
export type Gate = {
  /** Prefix that puts the command into its network; append its argv. */
  readonly argv: readonly [string, ...string[]];
  /** Variables that point programs to the gate. */
  readonly env: Readonly<Record<string, string>>;
  /** Call when the command is dead: cuts open connections and returns the network use. */
  readonly close: () => readonly NetworkUse[];
};

export type GateRequest = {
  readonly hosts: readonly HostPattern[];
  readonly services: readonly HostPattern[];
  readonly onConnection: (use: NetworkUse) => void;
};

export type OpenGate = (request: GateRequest) => Promise<Gate>;

/** As many are kept as usually run at once; more are created on demand and not kept. */
const MAX_IDLE = 4;

/**
 * Creates a function that opens gates. Each running command has a network namespace to itself, so the namespace
 * identifies a connection: no password, no forged name, no server on another command's port. Namespaces are
 * reused by later commands with the same services, once every process of the earlier one is dead.
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

/** By port: each service is on the command's own 127.0.0.1, so a port can have only one. */
function targetsOf(services: readonly HostPattern[]): ReadonlyMap<number, Target> {
  return new Map(
    services.flatMap((service) => {
      const target = parseTarget(service);
      return target === null ? [] : [[target.port, target] as const];
    }),
  );
}

/** In both cases, since some programs read one and some the other (curl reads only `http_proxy`). */
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
    // A server started by the command is on its own loopback.
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: '1',
    ...fetchesByHttps(hosts),
  };
}

const MAX_REWRITTEN = 32;

/** The gate carries no ssh and there are no keys, so git fetches public repositories over https instead. */
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
