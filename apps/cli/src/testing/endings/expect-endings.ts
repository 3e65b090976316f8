import { join } from 'node:path';
import { type CommandId, type EventType, InvariantError, ProviderId } from '@signalbox/core';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { clientAt } from '../../client/client-at.ts';
import { accessOf } from '../access-of.ts';
import { type ModelCall, startRecordedModel, workspaceOf } from '../recorded-model.ts';
import { createTestTerminal, type TestRun, type TestTerminal } from '../test-context.ts';
import { expectAgreement } from './agreement.ts';
import { goldenForm, type CommandAnswers } from './golden-form.ts';
import { countsOf, eventOf, grownBy, type EndingViews, receivedOf } from './receivers.ts';

type World = Readonly<{ workspace: string; signalbox: TestTerminal['signalbox'] }>;

/** A call that ends in a certain way: a shell line, sent by a model and by `signalbox exec`, or a tool's call. */
export type ExpectedEnding = Readonly<{
  /** Calls of the same session before it. */
  before?: readonly ModelCall[];
  first?: (world: World) => Promise<void> | void;
  /** What happens to it at that event. */
  during?: readonly [EventType, (world: World & Readonly<{ id: CommandId }>) => Promise<TestRun> | void];
}> &
  (
    | Readonly<{ line: string; timeoutMs?: number; asks?: true; onlyExec?: true }>
    | (ModelCall & Readonly<{ line?: undefined; onlyExec?: undefined }>)
  );

const MODEL = 'local';

/**
 * Ends a command in each of these ways, in one session of a scripted model, and compares what every receiver is told
 * with the file of that name.
 */
export async function expectEndings(
  cases: Readonly<Record<string, ExpectedEnding>>,
  options: Readonly<{
    /** Folder of the records. */
    golden: string;
    files: Readonly<Record<string, string>>;
    settings: Readonly<Record<string, unknown>>;
    env: Readonly<Record<string, string>>;
  }>,
): Promise<void> {
  const counts: ReadonlyMap<string, number>[] = [];
  let made = 0;
  let world: World | null = null;
  const worldNow = (): World => {
    if (world === null) throw new InvariantError('no world yet');
    return world;
  };
  const count = async (): Promise<void> => {
    counts.push(await countsOf(worldNow().workspace, { provider: MODEL, finished: made }));
  };
  const reactions: Promise<unknown>[] = [];
  const sent = Object.values(cases).filter(({ onlyExec }) => onlyExec !== true);
  const turns = sent.flatMap((one) => [
    ...(one.before ?? []).map((call) => async () => {
      await count();
      made += 1;
      return [call];
    }),
    async () => {
      await count();
      made += 1;
      await one.first?.(worldNow());
      reactions.push(react(one, MODEL, worldNow()));
      return [callOf(one)];
    },
  ]);
  const script = await startRecordedModel([
    ...turns,
    async () => {
      await count();
      return [];
    },
  ]);
  const tools = ['bash', 'read_file', 'write_file', 'list_directory', 'git_log', 'failing_tool'];
  const workspace = await workspaceOf(
    { [MODEL]: script },
    { files: options.files, local: { ...options.settings, providers: { [MODEL]: { tools } } } },
  );
  // Asked by `exec`, it is answered from elsewhere.
  const asked = { onAsked: () => undefined, singleKeys: false, typed: () => '' };
  const plain = createTestTerminal(workspace, { env: options.env });
  const terminal = createTestTerminal(workspace, { env: options.env, ...asked });
  world = { workspace, signalbox: plain.signalbox };
  await plain.signalbox('run', 'End in every way', '--until', 'true');
  await Promise.all(reactions);

  const ids = await idsOf(workspace, sent);
  let turn = 0;
  for (const [name, one] of Object.entries(cases)) {
    const own =
      one.line === undefined ? null : await execute(one, one.asks === true ? terminal : plain, world);
    const record = async (received: EndingViews, more: Omit<CommandAnswers, 'exec'>): Promise<void> => {
      const golden = goldenForm(received, { ...more, exec: own?.ran ?? null, workspace });
      await expect
        .soft(stringify(golden, { lineWidth: 0 }))
        .toMatchFileSnapshot(join(options.golden, `${name}.yaml`));
    };
    if (own !== null && one.onlyExec === true) {
      await record(own.received, { model: null, metrics: {} });
      continue;
    }
    turn += (one.before?.length ?? 0) + 1;
    const id = ids[turn - 1];
    const [before, after] = [counts[turn - 1], counts[turn]];
    if (id === undefined || before === undefined || after === undefined)
      throw new InvariantError(`${name} was not sent`);
    const received = await receivedOf(id, world);
    expectAgreement(received);
    const { content, notes = [], success } = received.http.record.result ?? {};
    const note = `\n\n[note from Signalbox, not part of the answer: ${notes.join('; ')}]`;
    const [model = null] = script.answersTo(turn);
    expect.soft(model).toBe(`${content}${notes.length === 0 ? '' : note}`);
    const told = await eventOf(
      workspace,
      (event) => event.type === 'tool_call_result' && event.commandId === id,
    );
    expect.soft(told).toMatchObject({ success });
    await record(received, { model, metrics: grownBy(before, after) });
  }
}

function callOf(one: ExpectedEnding): ModelCall {
  if (one.line === undefined) return { tool: one.tool, args: one.args };
  const { line, timeoutMs } = one;
  return { tool: 'bash', args: { line, ...(timeoutMs === undefined ? {} : { timeoutMs }) } };
}

/** What happens to the call of that provider, once it is that far. */
async function react(one: ExpectedEnding, provider: string, world: World): Promise<void> {
  if (one.during === undefined || one.line === undefined) return;
  const [type, act] = one.during;
  const { workspace } = world;
  const title = `bash ${one.line}`;
  const sent = await eventOf(
    workspace,
    (event) => event.type === 'command_submitted' && event.provider === provider && event.title === title,
  );
  if (sent.type !== 'command_submitted') return;
  const id = sent.commandId;
  await eventOf(workspace, (event) => event.type === type && 'commandId' in event && event.commandId === id);
  await act({ ...world, id });
}

/** The user's own line ends in the same way, with a record of its own that agrees with its receivers too. */
async function execute(
  one: ExpectedEnding & { readonly line: string },
  { signalbox }: TestTerminal,
  world: World,
): Promise<Readonly<{ ran: TestRun; received: EndingViews }>> {
  await one.first?.(world);
  const reaction = react(one, 'you', world);
  const { timeoutMs } = one;
  const flags = timeoutMs === undefined ? [] : ['--timeout', `${timeoutMs}ms`];
  const { exit, out, talk } = await signalbox('exec', ...flags, '--', one.line);
  await reaction;
  const { commands } = await clientAt(accessOf(world.workspace)).listCommands({
    provider: ProviderId.parse('you'),
  });
  const last = commands.find(({ title }) => title === `bash ${one.line}`);
  if (last === undefined) throw new InvariantError('exec sent no command');
  const received = await receivedOf(last.id, world);
  expectAgreement(received);
  // The approval above it is shown only if there is time.
  const ended =
    one.asks === true ? talk.slice(talk.lastIndexOf(`${String(received.audit['result'])}: `)) : talk;
  return { ran: { exit, out, talk: ended }, received };
}

/** Of all calls of the session, in order. */
async function idsOf(workspace: string, cases: readonly ExpectedEnding[]): Promise<readonly CommandId[]> {
  const { commands } = await clientAt(accessOf(workspace)).listCommands({
    provider: ProviderId.parse(MODEL),
    limit: 100,
  });
  const calls = cases.reduce((sum, { before = [] }) => sum + before.length + 1, 0);
  expect(commands).toHaveLength(calls);
  return commands.map(({ id }) => id).toReversed();
}
