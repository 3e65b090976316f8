import {
  createReadHashes,
  EMPTY_OUTPUT,
  type Execution,
  type Json,
  type Program,
  type RunOptions,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  ToolFailure,
} from '@signalbox/core';
import {
  aCommandId,
  aProviderId,
  aSessionId,
  createManualClock,
  createMemoryFiles,
} from '@signalbox/core/testing';

export type Started = { readonly program: Program; readonly options: RunOptions };

/** A tool context on files in memory; `run` rejects unless given. */
export function aToolContext(overrides: Partial<ToolContext> = {}): ToolContext {
  return {
    commandId: aCommandId(),
    sessionId: aSessionId(),
    provider: aProviderId(),
    files: createMemoryFiles(),
    readHashes: createReadHashes(),
    outputs: { read: () => Promise.reject(new Error('This tool should read no output')) },
    findTools: async () => [],
    clock: createManualClock(),
    git: { obstacle: async () => null },
    staleWrite: 'refuse',
    signal: new AbortController().signal,
    lines: { tests: null, lint: null },
    run: () => Promise.reject(new Error('This tool should run nothing')),
    ...overrides,
  };
}

/** Calls a tool like the coordinator, through the schemas of its arguments and its answer. */
export async function call<Args>(
  tool: Tool<Args>,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const answer = await tool.handle(tool.args.parse(args), context);
  tool.output?.parse(answer.output);
  return answer;
}

/** The tool's answer for the model. */
export async function outputOf<Args>(
  tool: Tool<Args>,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<Json> {
  return (await call(tool, args, context)).output;
}

/** The failure of a call. */
export async function failureOf(answer: Promise<unknown>): Promise<ToolFailure> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
  throw new Error('The call did not fail');
}

/** The result of an executor. */
export function anExecution(
  printed: { stdout?: string; stderr?: string; exitCode?: number; truncated?: boolean } = {},
): Execution {
  const { stdout = '', stderr = '', exitCode = 0, truncated = false } = printed;
  const measure = { strength: 'off' } as const;
  return {
    ended: { kind: 'exited', exitCode },
    stdout: { text: stdout, totalBytes: Buffer.byteLength(stdout), truncated },
    stderr: { ...EMPTY_OUTPUT, text: stderr },
    startedAt: 0,
    durationMs: 1,
    usage: { cpuMs: null, peakMemoryBytes: null },
    isolation: {
      layer: 'none',
      fs: measure,
      net: measure,
      pid: measure,
      syscalls: measure,
      limits: { cpu: measure, memory: measure, processes: measure, disk: measure },
      tracking: measure,
    },
  };
}

/** A `run` that starts nothing: it records its arguments and always returns the same result. */
export function recordingRun(answer: Execution = anExecution()): {
  readonly run: ToolContext['run'];
  readonly started: readonly Started[];
} {
  const started: Started[] = [];
  return {
    started,
    run(program, options = {}) {
      started.push({ program, options });
      return Promise.resolve(answer);
    },
  };
}
