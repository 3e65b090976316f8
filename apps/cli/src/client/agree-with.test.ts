import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished, test } from 'vitest';
import { agreeWith } from './agree-with.ts';

/** A coordinator of another build, which stops on request if it is idle. */
async function another(version: string, protocol: number, { isIdle }: Readonly<{ isIdle: boolean }>) {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-build-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JSON.stringify({ kind: isIdle ? 'stopping' : 'busy' }));
  });
  const socket = join(directory, 's');
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const hello = {
    version,
    protocol,
    pid: 1,
    since: 0,
    backend: 'embedded' as const,
    workspace: directory,
    recovering: null,
  };
  const found = { access: { url: 'http://localhost', token: '', pid: 1, socket }, hello };
  const agree = (mayReplace = true) =>
    agreeWith(
      found,
      { what: 'work', mayReplace },
      { context: { clock: createSystemClock(), directory }, ours: { version: '1.2.3', protocol: 2 } },
    );
  return { agree, asked };
}

test('the same version and protocol are used as they are', async () => {
  const { agree, asked } = await another('1.2.3', 2, { isIdle: true });
  expect(await agree()).toBe('use');
  expect(asked).toEqual([]);
});

test('an older build gives way when idle, and stays when it is working', async () => {
  const idle = await another('1.2.2', 2, { isIdle: true });
  expect(await idle.agree()).toBe('replace');
  expect(await idle.agree(false)).toBe('use');
  expect(await (await another('1.2.2', 2, { isIdle: false })).agree()).toBe('use');
});

test('an older build never replaces a newer one', async () => {
  for (const version of ['1.2.4', '1.10.0', '2.0.0']) {
    const { agree, asked } = await another(version, 2, { isIdle: true });
    expect(await agree()).toBe('use');
    expect(asked).toEqual([]);
  }
});

test('incompatible protocols are reported, with what to do', async () => {
  const older = await another('1.2.3', 1, { isIdle: false });
  await expect(older.agree()).rejects.toMatchObject({
    code: 'other-protocol',
    message: expect.stringContaining('older'),
  });
  const newer = await another('1.2.3', 3, { isIdle: true });
  await expect(newer.agree()).rejects.toMatchObject({
    code: 'other-protocol',
    message: expect.stringContaining('newer'),
  });
  expect(newer.asked).toEqual([]);
});
