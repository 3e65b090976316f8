import { checkContract } from '@signalbox/api/testing';
import { createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { createTokenRegistry, type TokenRegistry } from '@signalbox/server/access';
import { openTestRuntime, type TestRuntime } from './open-test-runtime.ts';
import { findLocalAccess } from '../runtime/server/local-access.ts';

/** A response of the server. */
export type Answered<Body> = Readonly<{ status: number; body: Body; headers: Headers; text: string }>;

export type TestServer = AsyncDisposable & {
  readonly of: TestRuntime & { readonly tokens: TokenRegistry };
  readonly url: string;
  /** Of the local operator. */
  readonly token: string;
  /**
   * Checks every response against the contract. As the operator, unless `token` is given; an empty one sends none.
   * `Body`: what the test expects.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the test says what it expects
  ask<Body = unknown>(
    method: string,
    path: string,
    options?: Readonly<{ body?: unknown; token?: string; headers?: Readonly<Record<string, string>> }>,
  ): Promise<Answered<Body>>;
  close(): Promise<void>;
  /** After {@link close}: another server of the same coordinator, at that port. */
  reopen(port: number): Promise<void>;
};

/** A real coordinator with its HTTP API on a free port. */
export async function openTestServer(
  options: Parameters<typeof openTestRuntime>[0] = {},
): Promise<TestServer> {
  const of = await openTestRuntime(options);
  const listenOn = (port: number) =>
    of.api.listen({ host: '127.0.0.1', port, allowedHosts: [], tls: null, allowPlainHttp: false }, 'none');
  const listener = await listenOn(0);
  const token = findLocalAccess(of.workspace)?.token ?? '';

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the test says what it expects
  async function ask<Body>(
    method: string,
    path: string,
    { body, token: as = token, headers = {} }: Parameters<TestServer['ask']>[2] = {},
  ): Promise<Answered<Body>> {
    const response = await fetch(new URL(path, listener.url), {
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

  const tokens = createTokenRegistry({
    facts: of.runtime.facts,
    clock: createSystemClock(),
    random: createSeededRandom(9),
  });
  return {
    of: { ...of, tokens },
    url: listener.url,
    token,
    ask,
    close: () => listener.close(),
    async reopen(port) {
      await listenOn(port);
    },
    [Symbol.asyncDispose]: () => of[Symbol.asyncDispose](),
  };
}
