import {
  canonicalJson,
  type Clock,
  type CommandRecord,
  type Execution,
  type ExecutionRequest,
  type ReuseSource,
  type Settings,
  type Stamps,
  type Tool,
} from '@signalbox/core';
import { isCheckLine, type Policy } from '@signalbox/policy';
import type { Confinement } from '../judging/confinement-of.ts';
import { keptRunOf } from './kept-run.ts';
import { createSharedRuns, type SharedExecution } from './shared-runs.ts';

/** Runs a program, or takes the result of an equal run. */
export type ReusableRun = (
  request: ExecutionRequest,
  run: {
    readonly signal: AbortSignal;
    readonly execute: () => Promise<Execution>;
    /** Whether it ran on another machine. */
    readonly isRemote: () => boolean;
  },
) => Promise<SharedExecution>;

export type RunReuse = {
  /** For one command; undefined when its runs are never shared. */
  of(
    record: CommandRecord,
    tool: Pick<Tool, 'reuse'>,
    confinement: Pick<Confinement, 'network' | 'login' | 'labels' | 'denyRead' | 'readableHome'>,
  ): ReusableRun | undefined;
  count(): number;
  clear(): void;
};

const WHOLE = [{ path: '.' }];

/**
 * Results of tests, linters and builds that several sessions ask for, kept by this process for a while. A person's own
 * call always runs.
 */
export function createRunReuse(options: {
  readonly settings: Pick<Settings, 'tools'>;
  readonly policy: Pick<Policy, 'version'>;
  /** Default: nothing can be compared, so everything runs. */
  readonly stamps?: Stamps | undefined;
  readonly clock: Clock;
}): RunReuse {
  const { policy, stamps, clock } = options;
  const { enabled, ttl_secs } = options.settings.tools.result_cache;
  const runs = createSharedRuns({ clock, ttlMs: ttl_secs * 1000 });

  return {
    count: runs.count,
    clear: runs.clear,
    of(record, tool, confinement) {
      const { network, login, labels, denyRead, readableHome } = confinement;
      const isOffline = network === 'off' && login === null && labels.length === 0;
      if (!enabled || stamps === undefined || tool.reuse === undefined || !isOffline) return undefined;

      return (request, { signal, execute, isRemote }) => {
        if (!isShareable(request, tool)) return execute().then((execution) => ({ execution }));
        const surroundings = { path: request.clientEnv?.PATH, readableHome };
        const scope = { paths: WHOLE, surroundings };
        const { sessionId: session, provider } = record.context;
        return runs.run(
          {
            key: keyOf(request, { denyRead, policy: policy.version }),
            stampNow: () => stamps.take(scope, { recent: 'wait', signal }),
            execute,
            async keep(execution, before) {
              if (isRemote()) return null;
              // The signal ends with the command.
              const stampNow = (): ReturnType<Stamps['take']> => stamps.take(scope, { recent: 'wait' });
              const endedAt = clock.now();
              return keptRunOf({ record, execution, before }, { stamps, stampNow, endedAt });
            },
          },
          { session, isFresh: provider === 'you', signal },
        );
      };
    },
  };
}

function isShareable(
  { program, stdin, terminal, workspace }: ExecutionRequest,
  { reuse }: Pick<Tool, 'reuse'>,
): boolean {
  if (program.kind !== 'shell' || stdin !== undefined || terminal === true || workspace !== 'write')
    return false;
  return reuse === 'runs' || isCheckLine(program.line);
}

/**
 * All that decides about a run's answer besides the files. The time it may take does not, since it ended in time, nor does
 * a report besides its output.
 */
function keyOf(
  asked: ExecutionRequest,
  bounds: { readonly denyRead: readonly string[]; readonly policy: string },
): string {
  const { commandId: _, report: ___, limits, ...request } = asked;
  const { timeoutMs: __, ...others } = limits;
  return canonicalJson({ ...request, limits: others, ...bounds });
}

/** For the model: that nothing ran, and how to run it. */
export function reuseNote({ commandId, provider, endedAt, durationMs }: ReuseSource, now: number): string {
  const when = now - endedAt < 1000 ? 'just now' : `${secondsText(now - endedAt)} ago`;
  const by = provider === 'you' ? 'a person' : provider;
  return `not run again: ${by} ran this ${when} on exactly these files (${commandId}, took ${secondsText(durationMs)}), and this is its result; make the same call once more to run it anyway`;
}

function secondsText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}
