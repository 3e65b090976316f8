import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leftBehind } from './left-behind.ts';

test('a process, a socket and a file that are left in a folder are found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-left-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(leftBehind(folder)).toEqual([]);
  const child = spawn('sh', ['-c', 'echo ready; read line'], { env: { TMPDIR: folder }, stdio: 'pipe' });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  const server = createServer().listen(join(folder, 'a.sock'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  writeFileSync(join(folder, 'b'), '');
  expect(leftBehind(folder)).toEqual([
    expect.stringMatching(new RegExp(`^process ${child.pid} sh -c`)),
    `socket ${join(folder, 'a.sock')}`,
    'file a.sock',
    'file b',
  ]);
});
