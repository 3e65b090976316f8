import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environmentOf, type KilledWorld, killedWorld, linesOf } from '../../testing/killed-world.ts';
import { resultsIn, startStatelessModel } from '../../testing/stateless-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ALLOWED = { approval: { approval_mode: 'allow_all' } };
const MARK = { tool: 'bash', args: { line: 'echo mark >> marks.txt' } };
/** Runs until it is stopped, the first time; then it would leave a second line. */
const SLOW = { tool: 'bash', args: { line: 'echo begun >> begun.txt; sleep 600' } };

function auditLines({ directory }: KilledWorld): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(join(directory, '.signalbox', 'audit.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

test('SIGTERM leaves a session whose model thinks: the next coordinator asks it again', async () => {
  const world = killedWorld();
  const asked = Promise.withResolvers<void>();
  const model = await startStatelessModel([[MARK]], {
    async before() {
      if (model.requests.length > 1) return true;
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  await world.open({ m: { model } }, ALLOWED);
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: null });
  await asked.promise;
  await world.terminate();
  await world.restart();
  expect(await world.ended(run)).toMatchObject({ state: 'ended', stoppedBy: null });
  expect(model.requests.map(({ turn }) => turn)).toEqual([1, 1, 2]);
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
  const { sessions } = await world.client().listSessions();
  expect(sessions).toMatchObject([{ finish: 'finished' }]);
  const { items } = await world.client().getTranscript({ id: run.sessions[0] ?? '' });
  expect(items.map(({ kind }) => kind)).toEqual(['restart', 'turn', 'call', 'turn']);
}, 120_000);

test('SIGTERM ends the running command, once, and leaves what waits: its session and the others go on', async () => {
  const world = killedWorld();
  const m = await startStatelessModel([[SLOW, MARK]]);
  const n = await startStatelessModel([[{ tool: 'bash', args: { line: 'npm install left-pad' } }]]);
  await world.open({ m: { model: m }, n: { model: n } }, { approval: { approval_mode: 'auto' } });
  const run = await world.start({ tasks: { m: 'Work', n: 'Ask' }, until: null });
  const waiting = async () => (await world.client().listApprovals()).approvals.length;
  const counts = async () => (await world.client().getStatus()).counts;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  await expect.poll(async () => (await counts()).running, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => linesOf(world, 'marks.txt'), { timeout: 60_000 }).toEqual(['mark']);
  await world.terminate();
  await world.restart();

  // The model reads that its call was stopped, and what else it has done.
  await expect.poll(() => m.requests.length, { timeout: 60_000 }).toBe(2);
  const told = resultsIn(m.requests[1]);
  expect(told.get('call_1_0')).toContain('Cancelled by signalbox: Signalbox was stopped');
  expect(told.get('call_1_1')).not.toContain('[tool_error]');
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  const [asked] = (await world.client().listApprovals()).approvals;
  const of = { id: asked?.command.id ?? '', callHash: asked?.command.approval?.callHash ?? '' };
  await world.client().refuseApproval({ ...of, reason: 'no' });
  expect(await world.ended(run)).toMatchObject({ stoppedBy: null });

  const ids = auditLines(world).map(({ command_id: id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(3);
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
  // Its changes were those of a transaction that has not ended.
  expect(linesOf(world, 'begun.txt')).toEqual([]);
}, 120_000);

test('a check that SIGTERM stopped runs again, and its run ends as if nothing had happened', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([[MARK]]);
  await world.open({ m: { model } }, ALLOWED);
  const line = 'test -e go.txt || sleep 600';
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: { line } });
  const running = async () => (await world.client().getStatus()).counts.running;
  await expect.poll(() => linesOf(world, 'marks.txt'), { timeout: 60_000 }).toEqual(['mark']);
  await expect.poll(running, { timeout: 60_000 }).toBe(1);
  await world.terminate();
  await world.restart();
  await expect.poll(running, { timeout: 60_000 }).toBe(1);
  const [check] = (await world.client().listCommands({ state: 'running' })).commands;
  await world.client().cancelCommand({ id: check?.id ?? '' });
  const { checks, stoppedBy } = await world.ended(run);
  expect(checks.map(({ round, next }) => [round, next])).toEqual([[1, 'refused']]);
  expect(stoppedBy).toBeNull();
  expect(model.requests).toHaveLength(2);
}, 120_000);

test('on Redis another coordinator continues at once what one has left at SIGTERM', async () => {
  const world = killedWorld(await environmentOf('Redis'));
  const model = await startStatelessModel([[MARK]], {
    async before({ turn }) {
      if (turn !== 2 || model.requests.length > 2) return true;
      return new Promise(() => undefined);
    },
  });
  await world.open({ m: { model } }, ALLOWED);
  const other = await world.beside();
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: null });
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(2);
  await world.terminate();
  const state = async () => (await other.getRun({ id: run.id })).state;
  await expect.poll(state, { timeout: 60_000 }).toBe('ended');
  expect(model.requests.map(({ turn }) => turn)).toEqual([1, 2, 2]);
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
}, 120_000);

test('a terminal that follows starts no coordinator after SIGTERM, and says how the run continues', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([[MARK]], {
    async before({ turn }) {
      if (turn !== 2 || model.requests.length > 2) return true;
      return new Promise(() => undefined);
    },
  });
  await world.open({ m: { model } }, ALLOWED);
  let said = '';
  const onSay = (text: string): void => {
    said += text;
  };
  const terminal = createTestTerminal(world.directory, { entry: world.entry, onSay });
  const following = terminal.signalbox('run', 'Leave a mark', '-p', 'm', '--until', 'true');
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(2);
  // Before that it may still be on its way to the coordinator.
  await expect.poll(() => said, { timeout: 60_000 }).toContain('marks.txt');
  await world.terminate();
  const followed = await following;
  expect(followed).toMatchObject({ exit: 6, talk: expect.stringContaining('is stored') });
  expect(followed.talk).not.toContain('cancelled');
  const [, attach = ''] =
    /signalbox attach (\w+)/.exec(followed.talk.slice(followed.talk.indexOf('is stored'))) ?? [];
  expect(await terminal.signalbox('attach', attach)).toMatchObject({
    exit: 0,
    talk: expect.stringContaining('continued after a restart'),
  });
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
}, 120_000);

test('serve --foreground leaves runs at Ctrl-C too, and says so', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([], { before: () => new Promise(() => undefined) });
  await world.open({ m: { model } }, ALLOWED);
  await world.terminate();
  const serving = world.serve('--foreground');
  let said = '';
  serving.stderr.on('data', (text: Buffer) => (said += text.toString()));
  await expect.poll(() => said, { timeout: 60_000 }).toContain('served at');
  // It leads the workspace now, and is the coordinator that clients find.
  await world.restart();
  const run = await world.start({ tasks: { m: 'Work' }, until: null });
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(1);
  serving.kill('SIGINT');
  expect((await serving).exitCode).toBe(0);
  expect(said).toContain('stopping: 1 run stays stored and continues with the next coordinator');
  await world.restart();
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(2);
  expect(await world.client().getRun({ id: run.id })).toMatchObject({ state: 'running' });
}, 120_000);

test('stop --now ends sessions for good, those that wait for an approval too', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([[MARK]]);
  await world.open({ m: { model } }, { approval: { approval_mode: 'prompt' } });
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: null });
  const waiting = async () => (await world.client().listApprovals()).approvals.length;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  const terminal = createTestTerminal(world.directory, { entry: world.entry });
  const stopped = await terminal.signalbox('stop', '--now');
  expect(stopped).toMatchObject({ exit: 0, talk: expect.stringContaining('ended with it: 1 run') });
  expect(stopped.talk).not.toContain('approve');
  const records = await world.entry.openRecords({ workspace: world.directory, env: {} });
  onTestFinished(async () => records?.close());
  expect(await records?.leftRuns()).toEqual([]);
  expect(await records?.store.unfinished()).toEqual([]);
  await world.restart();
  expect(await world.ended(run)).toMatchObject({ state: 'ended' });
  const { sessions } = await world.client().listSessions();
  expect(sessions).toMatchObject([{ finish: 'cancelled' }]);
  expect(model.requests).toHaveLength(1);
}, 120_000);
