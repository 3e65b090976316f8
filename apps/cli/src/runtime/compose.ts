import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { createCoordinator, type RunService } from '@signalbox/coordinator';
import {
  createRedactor,
  createToolRegistry,
  type Executor,
  type Logger,
  type GrowingRedactor,
  type SchedulerLimits,
  withComingTools,
} from '@signalbox/core';
import { createStamps, type RunningCalls } from '@signalbox/sandbox';
import { createPolicy, createPolicyHolder } from '@signalbox/policy';

import { catalogue } from '@signalbox/tools';
import { findLines } from './workspace/find-lines.ts';
import type { Runtime, RuntimeOptions, OpenApi } from './contract/runtime.ts';
import { openEmbeddedBackend } from './embedded-backend.ts';
import { openEmbedder } from './tool-filter/open-embedder.ts';
import { openMcpTools, secretsOfServers } from './open-mcp-tools.ts';
import { limitsOf } from './limits-of.ts';
import { createFilterLoader } from './load-output-filter.ts';
import { createLocalExecutor, createLocalFiles, openInspector } from './local-executor.ts';
import { ownEnvironment } from './own-environment.ts';
import type { Backend } from './contract/backend.ts';
import { passwordsOf, redisAddressOf } from './workspace/redis-address.ts';
import { openGates } from './open-gates.ts';
import { openRuns, sessionsOf } from './open-runs.ts';
import { type Strength, strengthOf } from './strength-of.ts';
import { keysOf } from './settings/keys-of.ts';
import { withNetworkOf } from './settings/with-network-of.ts';
import { openTraces } from './log/open-traces.ts';
import { traced } from './log/traced.ts';
import type { Traces } from './log/traces.ts';
import { projectFactsOf } from './workspace/project-facts.ts';
import { refuseWhole } from './workspace/refuse-whole.ts';
import { makeOwnState, requireOwnState, STATE_FOLDER } from './workspace/state-folder.ts';
import { enterLiveWorkspaces } from './workspace/live-workspaces.ts';
import { withoutWorkers } from './without-workers.ts';
import { lackOfDisk, lackOfMemory } from './resource-shortage.ts';
import type { LogFileState } from './log/log-file.ts';
import { openLog } from './log/open-log.ts';
import { createWarnings, warningOfLog } from './log/warnings.ts';

const LOG_FILE = 'log.jsonl';
/** The longest that a first session or the MCP endpoint waits for MCP servers whose tools are unknown. */
const WAIT_FOR_SERVERS_MS = 5000;

/** Composition root: opens the coordinator of a workspace, alone or as one of several on Redis. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const workspace = realpathSync(options.workspace);
  requireOwnState(workspace);
  const folder = join(workspace, STATE_FOLDER);
  const { settings, apiKeys: env, clock, subcommand } = options;
  const address = redisAddressOf({ folder, given: options.redis, env, backend: settings.backend });
  const redactor = createRedactor({
    secrets: [...keysOf(settings, env), ...secretsOfServers(settings, env), ...passwordsOf(address)],
  });
  refuseWhole(workspace, env);
  const host = { name: hostname(), pid: process.pid };
  const leave = await enterLiveWorkspaces({ directory: workspace, subcommand, host, env });
  const opened: (() => Promise<void>)[] = [async () => leave()];
  try {
    makeOwnState(workspace);
    let reportLog: (state: LogFileState) => void = () => undefined;
    const file = join(folder, LOG_FILE);
    const onChanged = (state: LogFileState): void => reportLog(state);
    const logger = options.log ?? openLog({ file, redactor, verbose: options.inspect ?? false, onChanged });
    const common = { folder, limits: { ...limitsOf(settings), ...options.limits }, clock, logger };
    const openedBackend =
      address === null
        ? await openEmbeddedBackend({ ...common, host, subcommand })
        : await (await import('./redis-backend.ts')).openRedisBackend({ ...options, ...common, address });
    opened.unshift(openedBackend.close);
    const backend = { ...openedBackend, close: () => closeAll(opened) };
    const traces = await openTraces(env);
    const warnings = createWarnings({ events: backend.events, clock, logger });
    reportLog = (state) => warnings.tell(warningOfLog(state));
    opened.unshift(async () => warnings.stop());
    const base = traced({ folder, host, backend, redactor, logger, traces }, traces, clock);
    return await assemble({ ...options, workspace, limits: common.limits }, base);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function closeAll(opened: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of opened) await close();
}

async function assemble(
  options: RuntimeOptions & { limits: SchedulerLimits },
  base: {
    folder: string;
    host: { name: string; pid: number };
    backend: Backend;
    redactor: GrowingRedactor;
    logger: Logger;
    traces: Traces | null;
    /** Adds tracing to what runs programs in this process, if an endpoint is set. */
    watched: (executor: Executor) => Executor;
  },
): Promise<Runtime> {
  const { workspace, settings, clock, apiKeys } = options;
  const { folder, host, backend, redactor, logger: log } = base;
  const { others } = backend;
  const writer = { ...backend.writer, holdsSecret: (text: string) => redactor.redact(text) !== text };
  const home = homedir();
  const policy = createPolicyHolder(createPolicy(settings, { workspace, home }, clock));
  const [takenBack, own] = await Promise.all([backend.takeBackCommits(), ownEnvironment(apiKeys, workspace)]);
  if (takenBack.length > 0) log.warn({ takenBack }, 'interrupted commits were rolled back');
  const runningCalls: RunningCalls = new Set();
  // The sandbox trial takes half of the rest of a start.
  const onTrial = (): void => void import('./open-server.ts');
  const local = base.watched(
    createLocalExecutor({ ...options, folder, own, policy, writer, runningCalls, onTrial }),
  );
  let current = settings;
  let judgedBy: Strength = { sandboxed: true, transactional: settings.tools.shell.transactional };
  const executor =
    (await others?.distribute(local, {
      settings: () => current,
      needs: () => judgedBy,
      queueTraces: await base.traces?.queueTraces(),
    })) ?? withoutWorkers(local);
  const files = createLocalFiles({ workspace, folder, settings, policy, writer });
  const lines = findLines(workspace, settings);
  const isolation = () => executor.isolation();
  // When only workers run commands, workers are held to this; there may be none yet.
  const judging = options.workersOnly === true ? judgedBy : strengthOf(local);
  judgedBy = await judging;
  const mcp = await openMcpTools({
    ...options,
    unconfined: options.unconfined && !judgedBy.sandboxed,
    folder,
    isDenied: policy.isDenied,
    readView: () => policy.readView,
    runningCalls,
    facts: backend.facts,
    logger: log,
  });
  const registered = createToolRegistry([...catalogue(), ...(options.tools ?? [])]);
  let runs: RunService | undefined;
  const coordinator = await createCoordinator({
    ...backend,
    scheduler: options.through?.(backend.scheduler) ?? backend.scheduler,
    ...(others === null ? {} : { shared: others.shared }),
    ownSessions: sessionsOf(() => runs),
    workspace,
    home,
    host,
    executor,
    ...judgedBy,
    files,
    inspector: openInspector({ workspace, folder, path: apiKeys['PATH'], isDenied: policy.isDenied }),
    tools: mcp === null ? registered : withComingTools(registered, mcp),
    embedder: openEmbedder(settings, options),
    policy,
    gates: openGates({ ...options, ...backend, ...base, tools: registered, lines, settings: () => current }),
    outputFilter: createFilterLoader(() => current.filters),
    redactor,
    settings,
    lines,
    ...projectFactsOf(workspace),
    stamps: createStamps({ workspace, stateFolder: folder, home, path: own.path }),
    clock,
    random: randomBytes,
    conditions: { disk: () => lackOfDisk(workspace), memory: lackOfMemory },
    onRecovery: options.onRecovery,
    inspect: options.inspect,
    logger: log,
  }).catch(async (error: unknown) => {
    await mcp?.close();
    await local.close?.();
    throw error;
  });
  mcp?.onChanged(() => coordinator.policyChanged('mcp_servers'));
  const led = openRuns({
    coordinator,
    ...backend,
    nodes: others?.shared.members ?? null,
    settings: () => current,
    known: async () => mcp?.known(WAIT_FOR_SERVERS_MS),
    tests: lines.tests,
    apiKeys,
    clock,
    random: randomBytes,
    redactor,
    logger: log,
  });
  runs = led;
  await led.takeUp();

  const apis: OpenApi[] = [];
  const runtime: Runtime = {
    coordinator,
    events: backend.events,
    store: backend.store,
    facts: backend.facts,
    settings,
    isolation,
    applyPolicy(next) {
      current = next;
      const isOther = policy.swap(createPolicy(withNetworkOf(settings, next), { workspace, home }, clock));
      if (isOther) coordinator.policyChanged('files');
      else coordinator.settingsAccepted('files');
      return isOther;
    },
    policyVersion: () => policy.version,
    refuseSettings: (why) => coordinator.settingsRefused('files', why),
    runs: led,
    async openApi(served) {
      const { openApi } = await import('./open-server.ts');
      // Agents request the list of tools only once.
      await mcp?.known(WAIT_FOR_SERVERS_MS);
      const api = await openApi(
        {
          ...backend,
          workspace,
          host,
          subcommand: options.subcommand,
          coordinator,
          files,
          redactor,
          runs: led,
          lines,
          isolation,
          clock,
          limits: options.limits,
          settings: () => current,
          apiKeys,
          applyPolicy: runtime.applyPolicy,
          onToolsChanged: mcp?.onChanged ?? (() => () => undefined),
          random: randomBytes,
          logger: log,
        },
        served,
      );
      apis.push(api);
      return api;
    },
    close: () => end('close'),
    leave: () => end('leave'),
  };
  return runtime;

  async function end(how: 'close' | 'leave'): Promise<void> {
    await Promise.all(apis.map((api) => api.close()));
    try {
      await led[how](() => coordinator.close());
    } finally {
      await mcp?.close();
      await local.close?.();
      await backend.close();
    }
  }
}
