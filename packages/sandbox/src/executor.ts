import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { notStarted, type Executor, SandboxError, UsageError } from '@signalbox/core';
import { createSandboxContext, executorClosed } from './sandbox-context.ts';
import { type ExecutorChoices, withExecutorDefaults } from './executor-defaults.ts';
import { type ChosenLayer, chooseLayer, tryLayer } from './layers/choose-layer.ts';
import type { Layer } from './layers/layer.ts';
import { createLayers } from './layers/create-layers.ts';
import { withMemoryBound } from './limits/bounded-limits.ts';
import { checkLimits } from './limits/check-limits.ts';
import { checkProgram } from './limits/check-program.ts';
import { lacksProgram } from './lacks-program.ts';
import { createRunWithNetwork } from './network/run-with-network.ts';
import { withReport } from './output/command-report.ts';

const MAX_INPUT_BYTES = 1024 ** 2;

/**
 * Creates an executor that runs commands in the first layer that works on this machine, or unconfined if an
 * operator chose so. Only the workspace is required; see {@link runLine} for a shell line with default limits.
 *
 * Nothing is started or created before the first command. Close it at the end: it may keep a sandbox ready.
 *
 * @throws {UsageError} `workspace` when it is `/`, no directory or not a real path; `invalid-arguments` for an option
 * that does not exist
 */
export function createExecutor(choices: ExecutorChoices): Required<Executor> {
  checkWorkspace(choices.workspace);
  const options = withExecutorDefaults(choices);
  const context = createSandboxContext(options);
  const layers = createLayers(context, options);
  const runWithNetwork = createRunWithNetwork(options);
  let chosen: Promise<ChosenLayer> | null = null;
  let isClosed = false;

  async function prepareAndChoose(): Promise<ChosenLayer> {
    // Whatever fails here fails in the trial as well, which explains it.
    await context.prepare().catch(() => undefined);
    return chooseLayer(layers);
  }

  /** Tried once. After a failure the next command tries again, since the cause may have been fixed. */
  async function choose(): Promise<ChosenLayer> {
    if (isClosed) throw executorClosed();
    chosen ??= prepareAndChoose().catch((cause: unknown) => {
      chosen = null;
      throw cause;
    });
    return chosen;
  }

  return {
    close() {
      isClosed = true;
      return context.close();
    },
    isolation: async () => (await choose()).isolation,
    // A container has its own programs.
    lacks: async (program, { clientEnv }) =>
      (await choose()).isolation.layer !== 'container' &&
      lacksProgram(program, { ...options, path: clientEnv?.PATH ?? options.path }),
    async execute(asked, hooks) {
      checkLimits(asked.limits);
      checkProgram(asked.program);
      if (asked.report !== undefined) checkProgram({ kind: 'shell', line: asked.report.line });
      if (Buffer.byteLength(asked.stdin ?? '') > MAX_INPUT_BYTES) {
        throw new UsageError(
          'input-too-large',
          `Cannot give the command its input: over ${MAX_INPUT_BYTES} bytes`,
        );
      }
      const { layer, isolation } = await choose();
      const request = withMemoryBound(withReport(asked, isolation));
      if (isClosed) throw executorClosed();
      if (hooks.signal.aborted) return notStarted(options.clock.now(), isolation);
      const { isDenied } = hooks;
      const known = isDenied === undefined ? request : { ...request, isDenied };
      return runWithNetwork(layer)(known, hooks, isolation).catch(async (cause: unknown) => {
        throw await ofCommandOrSandbox(cause, layer);
      });
    },
  };
}

/** Runs a trial to tell whether the machine's sandbox or only this command is at fault. */
async function ofCommandOrSandbox(cause: unknown, layer: Layer): Promise<unknown> {
  if (!(cause instanceof SandboxError) || cause.code === 'command_not_confined') return cause;
  const tried = await tryLayer(layer);
  if (tried.kind === 'fails' && tried.cause.code === 'sandbox_error') return cause;
  const { message, why, next } = cause;
  return new SandboxError(message, { cause, why, next, isOfCommand: true });
}

function checkWorkspace(workspace: string): void {
  const why = problemOf(workspace);
  if (why === undefined) return;
  throw new UsageError('workspace', `Cannot use ${JSON.stringify(workspace)} as workspace: ${why}`);
}

function problemOf(workspace: string): string | undefined {
  if (!isAbsolute(workspace)) return 'it is not an absolute path';
  if (workspace === '/') return 'it is all of this machine';
  // No path holds a NUL; Node.js throws for one.
  const isDirectory =
    !workspace.includes('\0') && statSync(workspace, { throwIfNoEntry: false })?.isDirectory();
  if (isDirectory !== true) return 'it is not a directory';
  const real = realpathSync(workspace);
  return real === workspace ? undefined : `its real path is ${JSON.stringify(real)}`;
}
