import { basename, resolve } from 'node:path';
import {
  type BackendCalls,
  type CallContextInput,
  type Clock,
  type CommandStore,
  type EventLog,
  type Facts,
  type Files,
  type Isolation,
  type LastKnown,
  type Logger,
  ProviderId,
  type RandomBytes,
  type Redactor,
  type SchedulerLimits,
  type Settings,
  type ToolRegistry,
} from '@signalbox/core';
import type { Coordinator, RunService } from '@signalbox/coordinator';
import { explain } from '@signalbox/policy';
import { createServer } from '@signalbox/server';
import { declaredTools } from './contract/declared-tools.ts';
import type { ApiOptions, OpenApi } from './contract/runtime.ts';
import { openSocket } from './server/open-socket.ts';
import { whenDrained } from './server/when-drained.ts';
import { createQuestions } from './rules/questions.ts';
import { judgeOf } from './settings/judge-of.ts';
import { unconfirmedOf } from './settings/require-confirmed.ts';
import { fileDiff } from './contract/file-diff.ts';
import { VERSION } from './contract/version.ts';
import { dashboardFiles } from './server/dashboard-files.ts';
import { createOpenPorts } from './server/open-ports.ts';
import { readGitHead } from './server/read-git-head.ts';
import { failureOfLine } from './failure-of-line.ts';
import type { OtherNodes } from './contract/backend.ts';
import { filesHere, folderOf } from './server/files-here.ts';

/** What a server needs from an open coordinator. */
export type ServedRuntime = Readonly<{
  workspace: string;
  host: Readonly<{ name: string }>;
  /** The subcommand that leads the workspace. */
  subcommand: string;
  coordinator: Coordinator;
  store: CommandStore;
  events: EventLog;
  facts: Facts;
  calls?: BackendCalls;
  lastKnown?: LastKnown | null;
  files: Pick<Files, 'changesOf'>;
  redactor: Redactor;
  runs: RunService;
  lines: Readonly<{ tests: string | null }>;
  /** Where keys are looked up for sessions that bring none. */
  apiKeys: Readonly<Record<string, string | undefined>>;
  /** Null if this is the only coordinator. */
  others: Pick<OtherNodes, 'shared' | 'living'> | null;
  limits: SchedulerLimits;
  /** The current settings. */
  settings: () => Settings;
  applyPolicy: (settings: Settings) => boolean;
  isolation: () => Promise<Isolation>;
  onToolsChanged: (listener: () => void) => () => void;
  clock: Clock;
  random: RandomBytes;
  logger: Logger;
}>;

/** Opens the HTTP API of a coordinator on the socket of its workspace. */
export async function openApi(runtime: ServedRuntime, options: ApiOptions): Promise<OpenApi> {
  const { workspace, clock, random, settings } = runtime;
  const startedAt = clock.now();
  const server = await createServer({
    ...runtime,
    workspace: basename(workspace),
    version: VERSION,
    lifecycle: {
      idleExitMs: options.idleExitMs,
      runs: runtime.runs.count,
      stop(when) {
        if (when === 'now') options.onStop();
        else void whenDrained(runtime).then(options.onStop);
      },
      openPort: (asked, reuse) => ports.listen(asked, reuse),
      keepPort: (asked, reuse) => ports.keep(asked, reuse),
      ports: () => ports.urls(),
      fixedPorts: () => ports.fixedUrls(),
    },
    hello: {
      pid: process.pid,
      host: runtime.host.name,
      subcommand: runtime.subcommand,
      since: startedAt,
      backend: runtime.others === null ? 'embedded' : 'redis',
      workspace,
    },
    measures: settings().monitoring.enable_metrics,
    dashboard: dashboardFiles(),
    services: {
      providers: () =>
        Object.entries(settings().providers).map(([id, provider]) => {
          const { model, trust, api_key_env: keyName } = provider;
          return {
            id: ProviderId.parse(id),
            model,
            trust,
            missingKey: keyName !== null && (runtime.apiKeys[keyName] ?? '') === '' ? keyName : null,
            unconfirmed: unconfirmedOf(id, provider),
          };
        }),
      tests: runtime.lines.tests,
      contextOf: (provider) => contextOf(provider, settings(), runtime.coordinator.tools),
      runs: withPresentSettings(runtime, options),
      leadsAlone: runtime.others === null,
      stopSession: runtime.coordinator.stopSession,
      sayToSession: runtime.coordinator.sayToSession,
      compressSession: runtime.coordinator.compressSession,
      async explain(question) {
        const questions = createQuestions({ directory: workspace, clock, random }, settings());
        const asked = questions.ofLine(question.line, question);
        const { verdict } = asked;
        const explained = explain(questions.policyOf(settings()), asked);
        const backend = { workspace, cwd: resolve(workspace, question.cwd), path: runtime.apiKeys['PATH'] };
        const failure = await failureOfLine({
          ...backend,
          line: question.line,
          settings: settings(),
          verdict,
          ruling: explained.ruling,
        });
        return { title: question.line, verdict, ...explained, failure };
      },
      ownRules: () => settings().rules,
      rules: options.rulesOf({
        coordinator: runtime.coordinator,
        applyPolicy: async () => {
          runtime.applyPolicy(await options.loadSettings());
        },
      }),
      async changesOf(id) {
        const changes = await runtime.files.changesOf(id);
        return changes?.map((change) => fileDiff(change, runtime.redactor.redact)) ?? null;
      },
      ...filesHere(workspace),
      folderOf: (path) => folderOf(workspace, path),
      reloadPolicy: async () => runtime.applyPolicy(await options.loadSettings()),
      isolation: () => runtime.isolation().catch(() => null),
      members: async () => (await runtime.others?.living()) ?? null,
      budgetUsd: () => settings().budget,
      judge: () => judgeOf(settings()),
      gitHead: () => readGitHead(workspace),
      mcp: () => settings().mcp,
      onToolsChanged: runtime.onToolsChanged,
    },
  });
  const ports = createOpenPorts(runtime, options.user, server);
  const socket = await openSocket(server, {
    workspace,
    env: runtime.apiKeys,
    user: options.user,
    clock,
  }).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
    activity: server.activity,
    isFound: socket.isFound,
    listen: ports.listen,
    async close() {
      await socket.remove();
      await ports.withdraw();
      await server.close();
    },
  };
}

/** A run starts under the settings as the files have them: a change just before it may not have been noticed yet. */
function withPresentSettings(
  { runs, applyPolicy }: Pick<ServedRuntime, 'runs' | 'applyPolicy'>,
  { loadSettings }: Pick<ApiOptions, 'loadSettings'>,
): RunService {
  return {
    ...runs,
    async start(asked) {
      // Files that can't be used change nothing; their watcher reports them.
      const present = await loadSettings().catch(() => null);
      if (present !== null) applyPolicy(present);
      return runs.start(asked);
    },
  };
}

function contextOf(id: ProviderId, { providers }: Settings, tools: ToolRegistry): Partial<CallContextInput> {
  const known = providers[id];
  // Connections come and go; the next one may read commands of an earlier one.
  const identity = 'provider' as const;
  if (known === undefined) return { identity };
  const declared = declaredTools(id, known, tools);
  return {
    identity,
    trust: known.trust,
    priority: known.priority,
    ...(declared === null ? {} : { tools: declared }),
  };
}
