import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { listKeys, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openRuntime } from '../../runtime/compose.ts';
import { readWorkspaceId } from '../../runtime/workspace-marks.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('forget removes the keys of a workspace on Redis and no others, with --state its folder, and nothing that is in use', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const [workspace, other] = [ownWorkspace(), ownWorkspace()];
  const [runtime, otherRuntime] = [await open(workspace, server.url), await open(other, server.url)];
  const env = { SIGNALBOX_REDIS_URL: server.url };
  const { signalbox } = createTestTerminal(workspace, { env });
  const keys = (): Promise<readonly string[]> => listKeys(server.url, '*');

  expect(await signalbox('forget', '--yes', '--state')).toMatchObject({
    exit: 6,
    talk: expect.stringMatching(
      /Cannot forget this workspace: it is in use[\s\S]*coordinator cor_\w+ runs on/,
    ),
  });
  const theirs = (await listKeys(server.url, `{${otherRuntime.name}}:*`)).length;
  expect(theirs).toBeGreaterThan(0);
  await runtime.close();

  const before = await keys();
  expect(await signalbox('forget', '--json')).toMatchObject({
    exit: 4,
    out: expect.stringContaining('"removed":false'),
  });
  expect(await keys()).toHaveLength(before.length);

  const typed: string[] = [];
  const person = createTestTerminal(workspace, {
    env,
    onAsked: () => undefined,
    typed(question) {
      typed.push(question);
      return 'y';
    },
  });
  const reported = await person.signalbox('forget');
  expect(reported).toMatchObject({
    exit: 0,
    talk: expect.stringMatching(/Redis .*\d+ keys?[\s\S]*no command unfinished/),
  });
  expect(typed).toEqual([expect.stringContaining('Remove it permanently?')]);
  expect(await listKeys(server.url, `{${runtime.name}}:*`)).toEqual([]);
  expect(await listKeys(server.url, `{${otherRuntime.name}}:*`)).toHaveLength(theirs);
  expect(existsSync(join(workspace, '.signalbox'))).toBe(true);

  const alone = createTestTerminal(workspace);
  expect(await alone.signalbox('forget')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('no Redis is named'),
  });
  const gone = await alone.signalbox('forget', '--state', '--yes', '--json');
  expect(JSON.parse(gone.out)).toEqual({
    redis: null,
    state: { files: expect.any(Number), bytes: expect.any(Number) },
    removed: true,
  });
  expect(existsSync(join(workspace, '.signalbox'))).toBe(false);
  await otherRuntime.close();
});

async function open(workspace: string, url: string) {
  const parsed = parseSettings({});
  if (parsed.kind === 'invalid') throw new Error('settings');
  const { close } = await openRuntime({
    workspace,
    settings: parsed.settings,
    unconfined: false,
    user: 'ana',
    subcommand: 'serve',
    apiKeys: { PATH: process.env['PATH'] },
    clock: createSystemClock(),
    log: createMemoryLogger(),
    redis: { url, volatile: true },
  });
  return { close, name: readWorkspaceId(join(workspace, '.signalbox')) };
}
