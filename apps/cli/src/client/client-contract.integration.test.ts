import { type ApiClient, createClient, operations, ProblemError, type Send } from '@signalbox/api';
import { checkContract } from '@signalbox/api/testing';
import { aCommandId, aLeaseId, aSessionId } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { expect, test } from 'vitest';
import { entry } from '../program/runtime-entry.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { openTestServer, type TestServer } from '../testing/open-test-server.ts';
import { TEST_STATE } from '../testing/open-test-runtime.ts';
import { configHomeOf } from '../testing/own-settings.ts';
import { connectCoordinator } from './connect-coordinator.ts';
import { fetchAt, textOf } from './fetch-at.ts';

type Name = keyof typeof operations;
const none = aCommandId('none');
const session = aSessionId('none');
const run = session.replace('ses_', 'run_');
const seen = { id: none, callHash: 'a'.repeat(64) };
const rule = { text: 'deny: {program: npm}' };

/** One request for each operation, as a program would send it: a new operation is a compile error here. */
const asks: Readonly<Record<Name, (client: ApiClient, command: string) => Promise<unknown>>> = {
  addRule: (client) => client.addRule({ ...rule, file: 'local' }),
  answerQuestion: (client) => client.answerQuestion({ ...seen, text: 'yes' }),
  attendCommand: (client, id) => client.attendCommand({ id, wait: 0 }),
  cancelCommand: (client) => client.cancelCommand({ id: none, reason: 'no', haste: 'now' }),
  checkRule: (client) => client.checkRule(rule),
  checkRuleForCall: (client, id) => client.checkRuleForCall({ id, ...rule }),
  clearResultCache: (client) => client.clearResultCache(),
  commitReview: (client) => client.commitReview({ paths: ['none'], message: 'Nothing' }),
  sayToSession: (client) => client.sayToSession({ id: session, text: 'And b.' }),
  compressSession: (client) => client.compressSession({ id: session }),
  createEntryCode: (client) => client.createEntryCode(),
  enter: (client) => client.enter({ code: 'none' }),
  explainLine: (client) => client.explainLine({ line: 'npm test', mode: 'ALERT' }),
  extendApproval: (client) => client.extendApproval({ ...seen, ms: 60_000 }),
  getActors: (client) => client.getActors(),
  getCommand: (client, id) => client.getCommand({ id, wait: 1 }),
  getCoordinator: (client) => client.getCoordinator(),
  getDiff: (client, id) => client.getDiff({ id }),
  getHealth: (client) => client.getHealth(),
  getHello: (client) => client.getHello(),
  getMode: (client) => client.getMode(),
  getQueue: (client) => client.getQueue({ limit: 5 }),
  getReady: (client) => client.getReady(),
  getResultCache: (client) => client.getResultCache(),
  getReview: (client) => client.getReview({}),
  getRun: (client) => client.getRun({ id: run }),
  resumeRun: (client) => client.resumeRun({ id: run, keys: {} }),
  getSnapshot: (client) => client.getSnapshot(),
  getStatus: (client) => client.getStatus(),
  getStats: (client) => client.getStats({ since: 0 }),
  getTimeline: (client) => client.getTimeline({ buckets: 3, to: 1_000_000_000 }),
  getTranscript: (client) => client.getTranscript({ id: session }),
  getWorkspace: (client) => client.getWorkspace(),
  getYou: (client) => client.getYou(),
  grantApproval: (client) => client.grantApproval(seen),
  grantTurns: (client) => client.grantTurns({ id: session, turns: 3 }),
  judgeApproval: (client, id) => client.judgeApproval({ id, args: { line: 'true' } }),
  keepReviewed: (client) => client.keepReviewed({ keys: ['none'] }),
  leave: (client) => client.leave(),
  listApprovals: (client) => client.listApprovals(),
  listCommands: (client) => client.listCommands({ state: 'done,queued', text: 'a & b', limit: 3 }),
  listKept: (client) => client.listKept(),
  listLeases: (client) => client.listLeases(),
  listProviders: (client) => client.listProviders(),
  listRules: (client) => client.listRules(),
  listRuns: (client) => client.listRuns(),
  listSessions: (client) => client.listSessions(),
  listTools: (client) => client.listTools({ mode: 'NORMAL', wait: 0 }),
  modifyApproval: (client) =>
    client.modifyApproval({ ...seen, args: { line: 'true' }, shown: seen.callHash }),
  previewApproval: (client, id) => client.previewApproval({ id }),
  prioritizeCommand: (client, id) => client.prioritizeCommand({ id, priority: 7 }),
  proposeRule: (client, id) => client.proposeRule({ id }),
  readOutput: (client, id) => client.readOutput({ id, stream: 'stdout', from: 0, length: 10 }),
  refuseApproval: (client) => client.refuseApproval({ ...seen, reason: 'no' }),
  reloadPolicy: (client) => client.reloadPolicy(),
  rememberApproval: (client) => client.rememberApproval({ ...seen, rule: { deny: {} }, scope: 'session' }),
  removeRule: (client) => client.removeRule({ layer: 'local', id: 'a/b ?#' }),
  revokeLease: (client) => client.revokeLease({ id: aLeaseId('none'), reason: 'no' }),
  searchOutput: (client, id) => client.searchOutput({ id, text: 'a&b=%', limit: 3 }),
  setMode: (client) => client.setMode({ mode: 'NORMAL', reason: 'as before' }),
  startRun: (client) => client.startRun({ assignments: [{ provider: 'nobody', task: 'none' }] }),
  startSession: (client) => client.startSession({ provider: 'nobody', task: 'none' }),
  stopCoordinator: (client) => client.stopCoordinator({ when: 'idle' }),
  stopRun: (client) => client.stopRun({ id: run }),
  stopSession: (client) => client.stopSession({ id: session }),
  submitCommand: (client) => client.submitCommand({ tool: 'list_files', args: {}, wait: true }),
  undoCommand: (client, id) => client.undoCommand({ id, paths: [] }),
};

/** Whether the server rejects the request as unknown or malformed. */
function isMistaken({ code }: ProblemError): boolean {
  return ['not-found', 'invalid-request', 'unknown'].includes(code);
}

async function accesses(server: TestServer): Promise<Readonly<Record<'port' | 'socket', LocalAccess>>> {
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: configHomeOf(server.of.workspace),
    XDG_STATE_HOME: TEST_STATE,
  };
  const world = { directory: server.of.workspace, env, clock: createSystemClock(), entry, user: 'ana' };
  return {
    port: { url: server.url, token: server.token, pid: process.pid },
    socket: await connectCoordinator(world, { what: 'look', start: false }),
  };
}

function sendTo(access: LocalAccess): Send {
  return async ({ method, path, body, signal }) => {
    const response = await fetchAt(access, path, {
      method,
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const answer = { status: response.status, body: JSON.parse(await textOf(response)) as unknown };
    checkContract({ method, path }, answer);
    return answer;
  };
}

test.for(['port', 'socket'] as const)(
  'the typed client calls every operation of the real server, by its %s',
  async (listener) => {
    await using server = await openTestServer({ files: { 'a.txt': 'one\n' } });
    const access = (await accesses(server))[listener];
    const client = createClient(sendTo(access));
    await server.of.call('claude', 'read_file', { path: 'a.txt' });
    const { commands } = await client.listCommands({ tool: 'read_file', outcome: 'completed' });
    expect(commands.map(({ call }) => call.args)).toMatchObject([{ path: 'a.txt' }]);
    const [command] = commands;
    for (const [name, ask] of Object.entries(asks)) {
      const answer = await ask(client, command?.id ?? '').catch((error: unknown) => error);
      const fits = !(answer instanceof Error) || (answer instanceof ProblemError && !isMistaken(answer));
      expect({ name, fits, answer }).toMatchObject({ fits: true });
    }
  },
);

test('the typed client throws the server’s error for a rejected request', async () => {
  await using server = await openTestServer();
  const client = createClient(sendTo((await accesses(server)).port));
  const error = await client.getCommand({ id: none }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({
    code: 'unknown-command',
    message: expect.stringContaining(none) as string,
    problem: { status: 404, type: 'urn:signalbox:problem:unknown-command' },
  });
  const stranger = createClient(sendTo({ url: server.url, token: 'wrong', pid: process.pid }));
  await expect(stranger.getSnapshot()).rejects.toMatchObject({ problem: { status: 401 } });
});
