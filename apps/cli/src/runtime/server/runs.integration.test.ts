import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProviderId, RunId, SessionId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { openScripted, step } from './testing/scripted-server.ts';

type Run = Readonly<{ id: string; state: string; sessions: readonly string[]; firstEvent: string }>;

test('a run of two providers and its verification line belong to the coordinator, whichever client started it', async () => {
  await using server = await openScripted([step('I look.', 'touch a.txt'), step('Done.')]);
  const { body: run, status } = await server.ask<Run>('POST', '/api/runs', {
    body: {
      assignments: [
        { provider: 'one', task: 'Finish' },
        { provider: 'other', task: 'Review' },
      ],
      until: { line: 'test -e a.txt' },
      budgetUsd: 2,
    },
  });
  expect(status).toBe(202);
  expect(run).toMatchObject({ state: 'running', until: 'test -e a.txt', budgetUsd: 2 });
  expect(run.sessions).toHaveLength(2);
  await server.of.event('run_ended', ({ runId }) => runId === run.id);
  const { body: listed } = await server.ask<{ runs: readonly Run[] }>('GET', '/api/runs');
  expect(listed.runs).toMatchObject([
    { id: run.id, state: 'ended', stoppedBy: null, result: { passed: true, exitCode: 0 } },
  ]);
  const { body } = await server.ask<{ sessions: readonly unknown[] }>('GET', '/api/sessions');
  expect(body.sessions).toMatchObject([
    { runId: run.id, finish: 'finished' },
    { runId: run.id, finish: 'finished' },
  ]);
});

test('if one provider can’t start none does, and no request is sent', async () => {
  await using server = await openScripted([step('Never said.')]);
  const start = (provider: string, more: object = {}) =>
    server.ask('POST', '/api/runs', {
      body: {
        assignments: [
          { provider: 'one', task: 'Finish' },
          { provider, task: 'Finish' },
        ],
        ...more,
      },
    });
  expect(await start('keyed')).toMatchObject({ status: 503, body: { code: 'missing-api-key' } });
  expect(await start('nobody')).toMatchObject({ status: 400, body: { code: 'unknown-provider' } });
  expect(await start('other', { keys: { PATH: '/tmp' } })).toMatchObject({
    status: 400,
    body: { code: 'unknown-key' },
  });
  expect(await start('other', { unconfined: true })).toMatchObject({ status: 400 });
  expect((await server.ask<{ sessions: [] }>('GET', '/api/sessions')).body.sessions).toEqual([]);
});

test('a session that has used its turns waits for any client, and continues with the given number', async () => {
  await using server = await openScripted([
    step('I look.', 'echo seen'),
    step('I look.', 'echo seen again'),
    step('Done.'),
  ]);
  const { body } = await server.ask<{ sessionId: string }>('POST', '/api/sessions', {
    body: { provider: 'one', task: 'Look', turns: 1 },
  });
  const turns = (more: number) =>
    server.ask('POST', `/api/sessions/${body.sessionId}/turns`, { body: { turns: more } });
  await server.of.event('turns_requested', ({ sessionId }) => sessionId === body.sessionId);
  const { body: now } = await server.ask('GET', '/api/sessions');
  expect(now).toMatchObject({ sessions: [{ turns: 1, needsTurns: true, state: 'running' }] });
  expect((await turns(1)).status).toBe(202);
  await server.of.event('turns_requested', ({ turns: used }) => used === 2);
  expect((await turns(0)).status).toBe(202);
  const ended = await server.of.event('session_ended');
  expect(ended).toMatchObject({ finish: 'max_iterations', turns: 2 });
  expect(await turns(10)).toMatchObject({ status: 409, body: { code: 'turns-not-asked' } });
});

test('stopping a run cancels only its own commands, and its verification line is not run', async () => {
  await using server = await openScripted([step('I wait.', 'sleep 60')]);
  const { body: run } = await server.ask<Run>('POST', '/api/runs', {
    body: { assignments: [{ provider: 'one', task: 'Wait' }], until: { line: 'true' } },
  });
  const { commandId } = await server.of.event('command_started');
  const own = server.of.submit('you', 'bash', { args: { line: 'sleep 0.2; echo mine' } });
  await server.of.event('command_started', (event) => event.commandId !== commandId);
  expect((await server.ask('POST', `/api/runs/${run.id}/stop`, { body: { mode: 'force' } })).status).toBe(
    202,
  );
  const ended = await server.of.event('run_ended');
  expect(ended).toMatchObject({ until: null });
  expect(ended.stoppedBy).not.toBeNull();
  expect((await server.of.runtime.store.get(commandId))?.result?.outcome.kind).toBe('cancelled');
  expect((await own.result).stdout).toBe('mine\n');
  expect(await server.ask('POST', `/api/runs/${run.id}/stop`, { body: {} })).toMatchObject({
    status: 404,
    body: { code: 'unknown-run' },
  });
});

test('a draining coordinator takes no new session, says so, and lets the others end', async () => {
  await using server = await openScripted([step('I look.', 'sleep 0.2'), step('Done.')]);
  const start = () => server.ask('POST', '/api/sessions', { body: { provider: 'one', task: 'Look' } });
  expect((await start()).status).toBe(202);
  const drained = server.of.runtime.runs.drain();
  expect(await start()).toMatchObject({ status: 503, body: { code: 'draining' } });
  await drained;
  expect(await server.of.event('session_ended')).toMatchObject({ finish: 'finished' });
});

test('a key that comes with a session works only for it, and appears in no event, log, record, file or response', async () => {
  const key = 'zk-live-4f9a27d0c1b86e35';
  // The model has the key, repeats it, and writes it into a file and an output.
  await using server = await openScripted(
    [],
    [
      step(`The key is ${key}.`, `echo ${key}; echo ${key} | base64; printf ${key} > key.txt`),
      step(`Bye ${key}`),
    ],
  );
  const { status, body } = await server.ask<{ sessionId: string }>('POST', '/api/sessions', {
    body: { provider: 'keyed', task: `Use ${key}`, keys: { OTHER_KEY: key } },
  });
  expect(status).toBe(202);
  await server.of.event('session_ended', ({ finish }) => finish === 'finished');
  const again = await server.ask('POST', '/api/sessions', { body: { provider: 'keyed', task: 'Once more' } });
  expect(again).toMatchObject({ status: 503, body: { code: 'missing-api-key' } });
  const bad = await server.ask('POST', '/api/sessions', {
    body: { provider: 'nobody', task: 'Use it', keys: { OTHER_KEY: key } },
  });
  const answers = await Promise.all(
    [
      '/api/sessions',
      `/api/sessions/${body.sessionId}/transcript`,
      '/api/snapshot',
      '/api/runs',
      '/api/commands',
    ].map((path) => server.ask('GET', path)),
  );
  const replay = await server.of.runtime.events.since(null, 10_000);
  const reported =
    [...answers, bad, again].map(({ text }) => text).join('\n') +
    JSON.stringify([replay, await server.of.runtime.store.list({ limit: 100 }), server.of.logger.lines]);
  expect(reported).not.toContain(key);
  expect(reported).not.toContain(Buffer.from(key).toString('base64').slice(0, 20));
  await server.of.leave();
  expect(filesHolding(join(server.of.workspace, '.signalbox'), key)).toEqual([]);
});

/** State files that contain it, except free pages of the store: a call is stored as received until it has ended. */
function filesHolding(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('state.db'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

test('a session and a run whose coordinator was killed are lost, not running', async () => {
  await using server = await openScripted([]);
  const ids = { runId: RunId.parse('run_aaaaaaaaaaaa'), sessionId: SessionId.parse('ses_aaaaaaaaaaaa') };
  const provider = ProviderId.parse('one');
  const { runId, sessionId } = ids;
  await server.of.runtime.events.append([
    {
      type: 'run_started',
      runId,
      sessions: [sessionId],
      until: null,
      untilSession: null,
      budgetUsd: null,
      by: 'ana',
    },
    { type: 'session_started', ...ids, provider, model: 'one', task: 'Look' },
  ]);
  expect((await server.ask('GET', `/api/runs/${runId}`)).body).toMatchObject({ state: 'lost' });
  const { body } = await server.ask('GET', '/api/sessions');
  expect(body).toMatchObject({ sessions: [{ id: sessionId, state: 'ended', finish: 'lost' }] });
});

test('a run uses the settings as the files have them, even before the coordinator has noticed a change', async () => {
  const model = await startRecordedModel([]);
  // Nobody watches the files of this server, which started without a provider.
  const workspace = await workspaceOf({ late: model });
  await using server = await openTestServer({ workspace });
  const body = { assignments: [{ provider: 'late', task: 'Finish' }] };
  const { status, body: run } = await server.ask<Run>('POST', '/api/runs', { body });
  expect([status, run.sessions?.length]).toEqual([202, 1]);
  await server.of.event('run_ended', ({ runId }) => runId === run.id);
  expect(model.requests).toHaveLength(1);
  const moved = await startRecordedModel([]);
  const text = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
  await writeOwnSettings(workspace, { text: text.replaceAll(model.url, moved.url) });
  const { body: next } = await server.ask<Run>('POST', '/api/runs', { body });
  await server.of.event('run_ended', ({ runId }) => runId === next.id);
  expect([model.requests.length, moved.requests.length]).toEqual([1, 1]);
});
