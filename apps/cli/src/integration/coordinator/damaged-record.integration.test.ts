import { join } from 'node:path';
import { damageRecord } from '@signalbox/embedded/testing';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('a command whose record is damaged gets the response of an unknown one, with the reason', async () => {
  await using own = await openTestServer({ files: { 'a.txt': 'a\n' } });
  const { commandId: id } = await own.of.call('you', 'read_file', { path: 'a.txt' });
  damageRecord(join(own.of.workspace, '.signalbox/state.db'), id);
  const words = `Cannot show ${id}: its stored record cannot be read`;
  for (const path of [
    `/api/commands/${id}`,
    `/api/commands?id=${id}`,
    `/api/commands/${id}/output?stream=stdout`,
    `/api/commands/${id}/diff`,
  ])
    expect([path, await own.ask('GET', path)]).toMatchObject([
      path,
      { status: 404, body: { code: 'unknown-command' }, text: expect.stringContaining(words) as unknown },
    ]);
  const { exit, talk } = await createTestTerminal(own.of.workspace).signalbox('diff', id);
  expect([exit, talk]).toEqual([expect.any(Number), expect.stringContaining(words)]);
  expect((await own.ask<{ commands: unknown[] }>('GET', '/api/commands')).body.commands).toEqual([]);
});
