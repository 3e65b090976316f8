import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { PortReuse } from '@signalbox/api';
import type { Clock, Facts, Logger, RandomBytes } from '@signalbox/core';
import type { ListenOptions, OpenPort, Server } from '@signalbox/server';
import { createTokenRegistry } from '@signalbox/server/access';
import type { OtherNodes } from '../contract/backend.ts';
import { removeLocalAccess, writeLocalAccess } from './local-access.ts';

/** Ports of a coordinator, and their records for programs of the same account. */
export type OpenPorts = Readonly<{
  /**
   * Closed when its last user closes it.
   *
   * @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`.
   */
  listen(asked: ListenOptions, reuse: PortReuse): Promise<OpenPort>;
  /** A port that stays until {@link withdraw}; a reused one stays as long as it would have. */
  keep(asked: ListenOptions, reuse: PortReuse): Promise<Pick<OpenPort, 'url'>>;
  /** Addresses of the open ports, oldest first. */
  urls(): readonly string[];
  /** Those whose number was requested. */
  fixedUrls(): readonly string[];
  /** Removes the record and its access token. The ports close with the server. */
  withdraw(): Promise<void>;
}>;

/** `users`: how many have not closed it; infinite: it stays. */
type HeldPort = OpenPort & { readonly asked: ListenOptions; users: number };

/** One access token works for all ports of a coordinator; its file names the oldest port. */
export function createOpenPorts(
  runtime: Readonly<{
    workspace: string;
    facts: Facts;
    others: Pick<OtherNodes, 'shared' | 'living'> | null;
    clock: Clock;
    random: RandomBytes;
    logger: Logger;
  }>,
  user: string,
  server: Pick<Server, 'listen'>,
): OpenPorts {
  const { workspace, others, logger } = runtime;
  const tokens = createTokenRegistry(runtime);
  const self = others?.shared.members.self;
  const open: HeldPort[] = [];
  let token: string | null = null;
  /** Serialised: each call reads and writes the same file and tokens. */
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function announce(): Promise<void> {
    const [oldest] = open;
    if (oldest === undefined) return withdraw();
    token ??= await newToken();
    const host = self === undefined ? {} : { host: hostname() };
    writeLocalAccess(workspace, { url: oldest.url, token, pid: process.pid, ...host }, { member: self });
  }

  async function newToken(): Promise<string> {
    const living = new Set<string | undefined>((await others?.living())?.map(({ id }) => id));
    // Tokens of killed servers are revoked.
    await tokens.revoke(({ kind, server: of }) => kind === 'local' && !living.has(of));
    const made = await tokens.create({
      kind: 'local',
      ...(self === undefined ? {} : { server: self }),
      name: user,
      role: 'operator',
      provider: null,
      lifetimeMs: null,
    });
    return made.token;
  }

  async function withdraw(): Promise<void> {
    if (token === null) return;
    token = null;
    removeLocalAccess(workspace, process.pid, { member: self });
    try {
      await tokens.revoke(({ kind, server: of }) => kind === 'local' && of === self);
    } catch (error) {
      logger.warn({ error }, 'access of this server not revoked; it ends with the next one');
    }
  }

  async function listen(asked: ListenOptions): Promise<HeldPort> {
    const port = { ...(await server.listen(asked)), asked, users: 0 };
    open.push(port);
    try {
      await announce();
    } catch (error) {
      await close(port).catch(() => undefined);
      throw error;
    }
    return port;
  }

  function reused(asked: ListenOptions, reuse: PortReuse): HeldPort | undefined {
    switch (reuse) {
      case 'none':
        return undefined;
      case 'equal':
        return open.find((port) => isSame(port.asked, asked));
      case 'any-number':
        return open.find((port) => isSame({ ...port.asked, port: asked.port }, asked));
      case 'any':
        return open[0];
    }
  }

  async function close(port: HeldPort): Promise<void> {
    const at = open.indexOf(port);
    if (at !== -1) open.splice(at, 1);
    try {
      await announce();
    } finally {
      await port.close();
    }
  }

  return {
    listen: (asked, reuse) =>
      inTurn(async () => {
        const port = reused(asked, reuse) ?? (await listen(asked));
        port.users += 1;
        let isLeft = false;
        async function leave(): Promise<void> {
          if (isLeft) return;
          isLeft = true;
          port.users -= 1;
          if (port.users === 0) await close(port);
        }
        return { url: port.url, close: () => inTurn(leave) };
      }),
    keep: (asked, reuse) =>
      inTurn(async () => {
        const found = reused(asked, reuse);
        if (found !== undefined) return { url: found.url };
        const port = await listen(asked);
        port.users = Infinity;
        return { url: port.url };
      }),
    urls: () => open.map(({ url }) => url),
    fixedUrls: () => open.flatMap(({ asked, url }) => (asked.port === 0 ? [] : [url])),
    withdraw: () =>
      inTurn(async () => {
        open.length = 0;
        await withdraw();
      }),
  };
}

/** Compares only where to listen; the options may contain more. */
function isSame(one: ListenOptions, other: ListenOptions): boolean {
  return isDeepStrictEqual(whereOf(one), whereOf(other));
}

function whereOf({ host, port, allowedHosts, tls, allowPlainHttp }: ListenOptions): ListenOptions {
  return { host, port, allowedHosts, tls, allowPlainHttp };
}
