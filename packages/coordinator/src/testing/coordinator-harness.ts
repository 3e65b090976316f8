import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CallContextInput,
  CallHash,
  type CommandId,
  type CommandRecord,
  createRedactor,
  createToolRegistry,
  EMPTY_OUTPUT,
  type Event,
  type Execution,
  type ExecutionRequest,
  type Executor,
  type Failure,
  type JsonObject,
  type NewEvent,
  parseSettings,
  type Scheduler,
} from '@signalbox/core';
import {
  aProviderId,
  aSessionId,
  createManualClock,
  createMemoryCounters,
  createMemoryFacts,
  createMemoryFiles,
  createMemoryInspector,
  createMemoryLogger,
  createMemoryScheduler,
  createMemoryStore,
  createSeededRandom,
} from '@signalbox/core/testing';
import { createPolicy, createPolicyHolder } from '@signalbox/policy';
import type { Coordinator, Submitted } from '../coordinator-api.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { createCoordinator } from '../create-coordinator.ts';
import { ownFolder } from './own-folder.ts';
import { createTestTools } from './test-tools.ts';

export const WORKSPACE = '/workspace';
export const FREE = { approval: { approval_mode: 'allow_all' } } as const;
export const ANA = { name: 'ana', channel: 'test' } as const;
const NOTHING_SHOWN = CallHash.parse('0'.repeat(64));
export const BEN = { name: 'ben', channel: 'test' } as const;

const ISOLATION: Execution['isolation'] = {
  layer: 'bind',
  fs: { strength: 'enforced' },
  net: { strength: 'enforced' },
  pid: { strength: 'enforced' },
  syscalls: { strength: 'enforced' },
  limits: {
    cpu: { strength: 'off' },
    memory: { strength: 'off' },
    processes: { strength: 'off' },
    disk: { strength: 'off' },
  },
  tracking: { strength: 'enforced' },
};

/** The hash that an answer must name: that of the approval request shown. */
export function questionOf(shown: CommandRecord | Failure): CallHash {
  if ('id' in shown && shown.approval !== null) return shown.approval.callHash;
  throw new Error('Nothing was asked');
}

/** Changed arguments as a person sends them: with the hash of what was shown for them, if anything was. */
export async function changeTo<Args extends JsonObject>(
  { approvals }: Pick<Coordinator, 'approvals'>,
  id: CommandId,
  { args }: Readonly<{ args: Args }>,
): Promise<{ readonly args: Args; readonly shown: CallHash }> {
  const judged = await approvals.judge(id, args);
  return { args, shown: 'id' in judged ? questionOf(judged) : NOTHING_SHOWN };
}

export function anExecution(overrides: Partial<Execution> = {}): Execution {
  return {
    ended: { kind: 'exited', exitCode: 0 },
    stdout: EMPTY_OUTPUT,
    stderr: EMPTY_OUTPUT,
    startedAt: 0,
    durationMs: 5,
    usage: { cpuMs: 3, peakMemoryBytes: 1000 },
    isolation: ISOLATION,
    ...overrides,
  };
}

/** Decides which call of a port's method fails; `crash`: it succeeds, and the process dies before it gets the reply. */
export type InjectedFaults = (
  port: 'store' | 'events' | 'scheduler' | 'facts',
  method: string,
) => Error | 'crash' | undefined;

/**
 * Successive coordinators on the same small real parts, with injected faults. The scheduler is new at each start, like
 * the embedded one.
 */
export function createHarness(written: Readonly<Record<string, unknown>> = {}) {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const memory = createMemoryStore(clock);
  const facts = createMemoryFacts();
  const files = createMemoryFiles({ root: WORKSPACE });
  const counters = createMemoryCounters(clock);
  const tools = createTestTools();
  const random = createSeededRandom(7);
  const requests: ExecutionRequest[] = [];
  const auditFile = join(ownFolder(), 'audit.jsonl');
  let faults: InjectedFaults = () => undefined;
  let schedulers: readonly Scheduler[] = [];
  let calls = 0;
  let runner = { ended: false };
  let program: (
    request: ExecutionRequest,
    hooks: Parameters<Executor['execute']>[1],
  ) => Promise<Execution> = async () => anExecution();

  const executor: Executor = {
    execute(request, hooks) {
      requests.push(request);
      return program(request, hooks);
    },
    isolation: async () => ISOLATION,
  };

  function settingsOf(more: Readonly<Record<string, unknown>>): CoordinatorOptions['settings'] {
    const parsed = parseSettings(more);
    if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
    return parsed.settings;
  }

  const harness = {
    clock,
    logger,
    store: memory.store,
    events: memory.events,
    facts,
    files,
    tools,
    requests,
    auditFile,
    /** The process of the last start dies at this point: nothing that it waits for ever arrives. */
    kill() {
      runner.ended = true;
      tools.forget();
    },
    setFaults: (next: InjectedFaults) => (faults = next),
    setProgram: (next: typeof program) => (program = next),
    /** The scheduler of the last start. */
    scheduler(): Scheduler {
      const last = schedulers.at(-1);
      if (last === undefined) throw new Error('not started');
      return last;
    },
    async start(overrides: Partial<CoordinatorOptions> = {}, settings = written): Promise<Coordinator> {
      const scheduler = createMemoryScheduler(clock, { maxConcurrent: 3, maxQueuePerProvider: 10 });
      schedulers = [...schedulers, scheduler];
      const parsed = settingsOf(settings);
      const own = { ended: false };
      runner = own;
      const fail =
        (port: Parameters<InjectedFaults>[0]) =>
        (method: string): ReturnType<InjectedFaults> =>
          faults(port, method);
      return createCoordinator({
        workspace: WORKSPACE,
        home: '/home/ana',
        host: { name: 'test', pid: 1 },
        auditFile,
        store: withFaults(memory.store, fail('store'), own),
        events: withFaults(memory.events, fail('events'), own),
        scheduler: withFaults(scheduler, fail('scheduler'), own),
        counters,
        facts: withFaults(facts, fail('facts'), own),
        executor,
        sandboxed: true,
        transactional: false,
        files,
        inspector: createMemoryInspector(files),
        tools: createToolRegistry(tools.list),
        policy: createPolicyHolder(createPolicy(parsed, { workspace: WORKSPACE, home: '/home/ana' }, clock)),
        redactor: createRedactor({ secrets: ['hunter2-hunter2'] }),
        settings: parsed,
        lines: { tests: 'npm test', lint: null },
        clock,
        random,
        logger,
        ...overrides,
      });
    },
    submit(
      coordinator: Coordinator,
      tool: string,
      args: Record<string, unknown> | string = {},
      context: Partial<CallContextInput> = {},
    ): Submitted {
      calls += 1;
      return coordinator.submit(
        { callId: `call-${calls}`, tool, args },
        { sessionId: aSessionId(), provider: aProviderId('openai'), ...context },
      );
    },
    /** Lets everything happen that needs no time. */
    settle: () => clock.advance(0),
    async record(id: CommandId): Promise<CommandRecord> {
      const record = await memory.store.get(id);
      if (record === null) throw new Error(`${id} is not stored`);
      return record;
    },
    auditLines: () =>
      readFileSync(auditFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async reported(type?: NewEvent['type']): Promise<readonly Event[]> {
      const replay = await memory.events.since(null, 100_000);
      const events = replay.kind === 'events' ? replay.events : [];
      return type === undefined ? events : events.filter((event) => event.type === type);
    },
    /** Outcome in the record, in the audit and in the returned result, which should be equal. */
    async endingOf(submitted: Submitted): Promise<readonly unknown[]> {
      const { result } = await harness.record(submitted.commandId);
      const lines = harness.auditLines().filter((line) => line['command_id'] === submitted.commandId);
      return [
        result?.outcome.kind,
        ...lines.map((line) => line['result']),
        (await submitted.result).outcome.kind,
      ];
    },
  };
  return harness;
}

export type CoordinatorHarness = ReturnType<typeof createHarness>;

function withFaults<Port extends object>(
  port: Port,
  fails: (method: string) => ReturnType<InjectedFaults>,
  runner: { ended: boolean },
): Port {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const fault = runner.ended ? undefined : fails(String(key));
        // The fault may have been the end of the process.
        if (runner.ended) return new Promise(() => undefined);
        if (fault instanceof Error) return Promise.reject(fault);
        const answer: unknown = Reflect.apply(value, target, args);
        if (fault === undefined) return answer;
        runner.ended = true;
        return new Promise(() => undefined);
      };
    },
  });
}
