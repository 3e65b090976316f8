import { createServer } from 'node:http';
import { join } from 'node:path';
import { getStatus } from '@signalbox/api';
import { expect, onTestFinished, test } from 'vitest';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { askAt } from './send-to.ts';
import { fakeCoordinator } from './testing/fake-coordinator.ts';

test('a coordinator that answers for another workspace gets no further request', async () => {
  const workspace = ownWorkspace();
  const asked: string[] = [];
  const other = (path: string) => (): object => {
    asked.push(path);
    return { workspace: '/elsewhere' };
  };
  await fakeCoordinator(workspace, {
    '/api/hello': other('hello'),
    '/api/commands': other('commands'),
  });
  const said = await createTestTerminal(workspace).signalbox('exec', '--', 'true');
  expect(said).toMatchObject({ exit: 125, talk: expect.stringContaining('leads another workspace') });
  expect(said.talk).toContain('"/elsewhere"');
  expect(new Set(asked)).toEqual(new Set(['hello']));
});

test('an endless response is read up to a limit', async () => {
  const workspace = ownWorkspace();
  await fakeCoordinator(workspace, { '/api/hello': () => ({ version: 'x'.repeat(200_000) }) });
  const said = await createTestTerminal(workspace).signalbox('exec', '--', 'true');
  expect(said).toMatchObject({ exit: 125, talk: expect.stringContaining('larger than 65536 bytes') });

  const socket = join(ownWorkspace(), 's');
  const server = createServer((_, response) => {
    const more = (): void =>
      void response.write('x'.repeat(1024 ** 2), (error) => (error ? undefined : more()));
    more();
  });
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const access = { url: 'http://localhost', token: '', pid: 1, socket };
  await expect(askAt(access, getStatus)).rejects.toThrow('larger than 67108864 bytes');
});
