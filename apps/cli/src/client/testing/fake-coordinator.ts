import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { PROTOCOL } from '@signalbox/api';
import { onTestFinished } from 'vitest';
import { VERSION } from '../../runtime/contract/version.ts';
import { prepareSocket, writeRecord } from '../../runtime/server/coordinator-record.ts';

/** Responses by path, added to its hello; a number is a status with an HTML page. */
type Answers = Readonly<Record<string, number | (() => object)>>;

/** Listens on the socket of a workspace like a coordinator, and sends these responses, until the end of the test. */
export async function fakeCoordinator(workspace: string, answers: Answers): Promise<void> {
  const hello = {
    version: VERSION,
    protocol: PROTOCOL,
    pid: process.pid,
    since: 0,
    backend: 'embedded',
    workspace,
    recovering: null,
  };
  const server = createServer((request, response) => {
    const given = { '/api/hello': () => hello, ...answers }[request.url?.split('?')[0] ?? ''] ?? 404;
    if (typeof given === 'number') return void response.writeHead(given).end('<!doctype html>');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...hello, ...given() }));
  });
  const { path } = prepareSocket(workspace, {});
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  writeRecord(workspace, {
    nonce: 'fake',
    pid: process.pid,
    process: null,
    version: VERSION,
    startedAt: 0,
    socket: path,
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(path, { force: true });
  });
}
