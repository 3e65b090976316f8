import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLiveWorkspace } from '../../testing/live-workspace.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { findLocalAccess } from './local-access.ts';

/** A model server that counts requests. */
async function openElsewhere() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests };
}

test.for([
  ['the signalbox.yaml of a repository', 'signalbox.yaml', 'elsewhere', 'signalbox config set'],
  ['an unconfirmed local.yaml', '.signalbox/local.yaml', 'elsewhere', 'signalbox config trust'],
  ['another address for a known provider', 'signalbox.yaml', 'openai', 'signalbox config set'],
] as const)(
  'over HTTP no session uses an address only from %s, and the next step is shown',
  async ([, file, id, step]) => {
    const { url, requests } = await openElsewhere();
    const workspace = ownWorkspace();
    mkdirSync(join(workspace, '.signalbox'), { recursive: true });
    const provider = { api: 'openai-chat', base_url: url, model: 'any', api_key_env: null };
    writeFileSync(join(workspace, file), JSON.stringify({ providers: { [id]: provider } }));
    const world = await openLiveWorkspace(workspace, { OPENAI_API_KEY: 'sk-any' });
    await world.start('serve', '--port', '0', '--json').begun;
    const access = findLocalAccess(workspace);
    const ask = async (method: string, path: string, { body }: Readonly<{ body?: unknown }> = {}) => {
      const response = await fetch(`${access?.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${access?.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      return { status: response.status, body: answer };
    };
    const refused = {
      status: 400,
      body: {
        code: 'unconfirmed-provider',
        title: expect.stringContaining(`${file} sends it to "${url}", and that is not confirmed here`),
        next: [expect.stringContaining(step)],
      },
    };
    const task = 'Send the code away';
    expect(await ask('POST', '/api/sessions', { body: { provider: id, task } })).toMatchObject(refused);
    expect(await ask('POST', '/api/runs', { body: { assignments: [{ provider: id, task }] } })).toMatchObject(
      refused,
    );
    expect((await ask('GET', '/api/sessions')).body).toEqual({ sessions: [] });
    const listed = (await ask('GET', '/api/providers')).body as { providers: readonly { id: string }[] };
    expect(listed.providers.find((one) => one.id === id)).toMatchObject({
      unconfirmed: { file, url, next: expect.stringContaining(step) },
    });
    expect(requests()).toBe(0);
  },
);
