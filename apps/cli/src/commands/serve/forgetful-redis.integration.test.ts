import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createId, ProviderId } from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { type RedisServer, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { openRuntime } from '../../runtime/compose.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createHold } from './testing/beating-tools.ts';
import { contestLimits, contestSettings } from './testing/contention-test.ts';

const Line = z.looseObject({ command_id: z.string().optional(), result: z.string() });
const PATIENCE = { timeout: 60_000, interval: 20 };

test('a Redis that lost its last writes blocks nothing for ever: an audited command ends as the audit log says, once', async () => {
  const server = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => server.close());
  const [{ hold, letGo }, later] = [createHold(), createHold()];
  const workspace = ownWorkspace();
  const runtime = await openRuntime({
    workspace,
    settings: contestSettings(),
    unconfined: false,
    user: 'ana',
    subcommand: 'test',
    apiKeys: { PATH: process.env['PATH'] },
    clock: createSystemClock(),
    log: createMemoryLogger(),
    redis: { url: server.url, volatile: false },
    limits: contestLimits({ leaseTtlMs: 2000 }),
    tools: [hold, { ...later.hold, name: 'hold_on' }],
  });
  onTestFinished(runtime.close);
  const context = {
    sessionId: createId('session', createSeededRandom(1)),
    provider: ProviderId.parse('test'),
  };
  const submit = (tool: string, file: string) =>
    runtime.coordinator.submit({ callId: `call-${file}`, tool, args: { file } }, context);
  const stateOf = async ({ commandId }: ReturnType<typeof submit>): Promise<string | undefined> =>
    (await runtime.store.get(commandId))?.state;

  const ends = submit('hold', 'a');
  await expect.poll(() => stateOf(ends), PATIENCE).toBe('running');
  const forget = remember(server);
  const forgotten = submit('hold_on', 'b');
  await expect.poll(() => stateOf(forgotten), PATIENCE).toBe('running');
  letGo();
  const reported = await ends.result;
  expect(reported.outcome.kind).toBe('completed');

  await forget();
  await expect.poll(() => stateOf(ends), PATIENCE).toBe('done');
  expect((await runtime.store.get(ends.commandId))?.result?.outcome).toEqual(reported.outcome);
  later.letGo();
  expect((await forgotten.result).outcome.kind).toBe('lost');
  expect(forgotten.record).toMatchObject({ state: 'done', result: { outcome: { kind: 'lost' } } });
  expect(auditedIn(workspace)).toEqual(
    new Map([
      [ends.commandId, ['completed']],
      [forgotten.commandId, ['lost']],
    ]),
  );
  expect((await runtime.store.unfinished()).map(({ id }) => id)).toEqual([]);
}, 120_000);

/** What all lines of the audit logs say of each command. */
function auditedIn(workspace: string): ReadonlyMap<string, readonly string[]> {
  const folder = join(workspace, '.signalbox', 'audit');
  const reported = new Map<string, string[]>();
  for (const name of readdirSync(folder))
    for (const text of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
      const line = Line.parse(JSON.parse(text));
      if (line.command_id !== undefined)
        reported.set(line.command_id, [...(reported.get(line.command_id) ?? []), line.result]);
    }
  return reported;
}

/** Saves its current content; the returned function restarts it with that, as if it had lost later writes. */
function remember(server: RedisServer): () => Promise<void> {
  const [files, kept] = [join(server.folder, 'appendonlydir'), join(server.folder, 'kept')];
  cpSync(files, kept, { recursive: true });
  return async () => {
    await server.kill();
    rmSync(files, { recursive: true });
    cpSync(kept, files, { recursive: true });
    await server.restart();
  };
}
