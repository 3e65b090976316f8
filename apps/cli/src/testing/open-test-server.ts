import { userInfo } from 'node:os';
import { checkContract } from '@signalbox/api/testing';
import { createSeededRandom } from '@signalbox/core/testing';
import { parseSettings } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { createTokenBook, type TokenBook } from '@signalbox/server/access';
import { openTestHouse, type TestHouse } from './open-test-house.ts';
import { configHomeOf } from './own-settings.ts';
import { serverRules } from '../serve/server-rules.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { findLocalAccess } from '../serve/local-access.ts';

/** An answer of the server. */
export type Answered<Body> = Readonly<{ status: number; body: Body; headers: Headers; text: string }>;

export type TestServer = AsyncDisposable & {
  readonly of: TestHouse & { readonly tokens: TokenBook };
  readonly url: string;
  /** Of the local operator. */
  readonly token: string;
  /** Every answer is held to the contract. As the operator, unless `token` says otherwise; an empty one sends none. `Body`: what the test expects. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the test says what it expects
  ask<Body = unknown>(
    method: string,
    path: string,
    options?: Readonly<{ body?: unknown; token?: string; headers?: Readonly<Record<string, string>> }>,
  ): Promise<Answered<Body>>;
  close(): Promise<void>;
  /** After {@link close}: another server of the same house, at that port. */
  reopen(port: number): Promise<void>;
};

/** A real house with its HTTP door on a free port. */
export async function openTestServer(options: Parameters<typeof openTestHouse>[0] = {}): Promise<TestServer> {
  const of = await openTestHouse(options);
  const world = {
    directory: of.workspace,
    // No settings of the person who runs the tests.
    env: { XDG_CONFIG_HOME: configHomeOf(of.workspace) },
    clock: createSystemClock(),
    random: createSeededRandom(10),
    user: userInfo().username,
  };
  const openDoor = (port: number) =>
    of.house.openServer({
      host: '127.0.0.1',
      port,
      allowedHosts: [],
      tls: null,
      allowPlainHttp: false,
      user: userInfo().username,
      idleExitMs: null,
      onStop: () => undefined,
      signal: new AbortController().signal,
      rulesOf: ({ coordinator, adopt }) => serverRules(world, coordinator, adopt),
      loadSettings: async () => {
        if (options.settings === undefined) return (await loadSettings(world)).settings;
        const parsed = parseSettings(options.settings ?? {});
        if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
        return parsed.settings;
      },
    });
  const door = await openDoor(0);
  const token = findLocalAccess(of.workspace)?.token ?? '';

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the test says what it expects
  async function ask<Body>(
    method: string,
    path: string,
    { body, token: as = token, headers = {} }: Parameters<TestServer['ask']>[2] = {},
  ): Promise<Answered<Body>> {
    const response = await fetch(new URL(path, door.url), {
      method,
      headers: {
        ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed: unknown = isJson && !text.includes('\n') ? JSON.parse(text) : null;
    const { status, headers: answered } = response;
    if (parsed !== null) checkContract({ method, path }, { status, body: parsed });
    return { status, body: parsed as Body, headers: answered, text };
  }

  const tokens = createTokenBook({
    facts: of.house.facts,
    clock: createSystemClock(),
    random: createSeededRandom(9),
  });
  return {
    of: { ...of, tokens },
    url: door.url,
    token,
    ask,
    close: () => door.close(),
    async reopen(port) {
      await openDoor(port);
    },
    [Symbol.asyncDispose]: () => of[Symbol.asyncDispose](),
  };
}
