import {
  createId,
  type Execution,
  type ExecutionHooks,
  type ExecutionLimits,
  type ExecutionRequest,
  type Executor,
} from '@signalbox/core';

/** A shell line for {@link runLine}. */
export type ShellLineRequest = Partial<Omit<ExecutionRequest, 'program' | 'limits'>> &
  Partial<Pick<ExecutionHooks, 'signal' | 'onOutput'>> & {
    /** Run in `/bin/bash --noprofile --norc -c`. */
    readonly line: string;
    /**
     * Default: 60 s, 80 % of all processors, 256 processes, 1 GiB per file, 1,024 open files, 500,000 new files; memory and
     * written bytes by the machine's size.
     */
    readonly limits?: Partial<ExecutionLimits>;
  };

/** Those of the tool `bash` without settings. */
const DEFAULT_LIMITS: ExecutionLimits = {
  timeoutMs: 60_000,
  cpuPercent: 80,
  processes: 256,
  fileBytes: 1024 ** 3,
  openFiles: 1024,
  writtenFiles: 500_000,
};

/**
 * Runs a shell line to its end: in the workspace's root, writing to it, without network and with default limits, unless
 * the request says otherwise. A timeout, a signal, a limit and a stop are endings, not errors.
 *
 * @throws {SandboxError} when it could not be confined: nothing was run
 * @throws {ToolFailure} when `cwd` is not a directory of the workspace, or `env` sets a variable that is refused
 * @throws {UsageError} `input-too-large` for a `stdin` over 1 MiB and for a line over 131,071 bytes, `nul-in-command` for a
 * line with a NUL, `invalid-arguments` for a negative limit and for a timeout over 24 days
 */
export function runLine(
  executor: Pick<Executor, 'execute'>,
  { line, limits, signal, onOutput, ...more }: ShellLineRequest,
): Promise<Execution> {
  return executor.execute(
    {
      commandId: createId('command', (length) => crypto.getRandomValues(new Uint8Array(length))),
      program: { kind: 'shell', line },
      cwd: '.',
      env: {},
      network: 'off',
      workspace: 'write',
      ...more,
      limits: { ...DEFAULT_LIMITS, ...limits },
    },
    {
      signal: signal ?? new AbortController().signal,
      onOutput: onOutput ?? (() => undefined),
    },
  );
}
