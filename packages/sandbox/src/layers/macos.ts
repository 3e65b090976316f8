import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { type Execution, type Isolation, SandboxError } from '@signalbox/core';
import { OWN_FOLDERS } from '../bubblewrap/machine-paths.ts';
import type { SandboxContext } from '../sandbox-context.ts';
import { runCommand } from '../command-run.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { TRIAL, UNCONFINED } from '../isolation.ts';
import { memoryForFiles, withWrittenBounds } from '../limits/written-bounds.ts';
import { runnerArgv } from '../runtime/runner-script.ts';
import { runtimeConfiguration } from '../runtime/runtime-configuration.ts';
import type { Layer, LayerRequest } from './layer.ts';

/** An optional peer dependency, used on macOS only. */
const RUNTIME = '@anthropic-ai/sandbox-runtime';

/**
 * L4: `@anthropic-ai/sandbox-runtime`, if installed, on the workspace itself. On macOS it uses the system's
 * sandbox; that is untested. On Linux it is only used for tests and measurements.
 *
 * It has one confinement per process, not per command, so each command has a process of its own.
 */
export function createMacosLayer(context: SandboxContext, options: ExecutorOptions): Layer {
  const { workspace, stateFolder, home, path } = options;
  const isMasked = (folder: string): boolean => !OWN_FOLDERS.includes(folder) && folder !== '/dev/shm';

  async function run(
    request: LayerRequest,
    hooks: Parameters<Layer['run']>[1],
    isolation: Isolation,
  ): Promise<Execution> {
    if (request.network !== 'off') throw noNetwork();
    const runtime = findRuntime();
    const configuration = runtimeConfiguration(await context.mounts(request), {
      workspace,
      isMasked,
      readable: [`${stateFolder}/gitconfig`, runtime.folder],
    });
    const argv = runnerArgv(runtime.module, configuration);
    const limits = withWrittenBounds(request.limits, memoryForFiles(options.filesInMemoryBytes));
    const beside = context.unconfinedRun(request, isolation, {
      argv,
      cwd: workspace,
      env: { PATH: path, HOME: home },
    });
    return runCommand({ ...request, limits }, hooks, { ...beside, writesToDisk: true });
  }

  return {
    name: 'macos',
    run,
    async probe() {
      const argv = ['/bin/bash', '--noprofile', '--norc', '-c', QUESTIONS, 'signalbox', stateFolder] as const;
      mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
      writeFileSync(`${stateFolder}/readable-trial`, 'read\n');
      const done = await run({ ...TRIAL, program: { kind: 'argv', argv } }, SILENT, UNCONFINED);
      const written = [workspace, stateFolder].map((folder) => `${folder}/${TRIED}`).filter(existsSync);
      for (const file of [...written, `${stateFolder}/readable-trial`]) rmSync(file);
      if (done.stdout.text === 'confined\n' && written.length === 0) return isolationOf();
      throw new SandboxError(`Cannot confine commands by ${RUNTIME}: a trial failed`, {
        why: [
          `The trial ended: ${JSON.stringify(done.ended)}`,
          ...written.map((file) => `It wrote "${file}"`),
          ...[done.stdout.text, done.stderr.text].map((text) => text.trim()),
        ],
        next: ['signalbox doctor'],
      });
    },
  };
}

const TRIED = 'signalbox-trial';

/**
 * Writes to a read-only workspace and to our own folder, where a write may seem to work, and reads a file
 * there.
 */
const QUESTIONS = `
{ : >${TRIED}; : >"$1/${TRIED}"; } 2>/dev/null
{ read -r line <"$1/readable-trial"; } 2>/dev/null && echo 'It reads our own folder'
echo confined
`;

function noNetwork(): SandboxError {
  return new SandboxError('Cannot run the command: in this layer a command has no network', {
    why: [`${RUNTIME} does not report which connections it let through`],
    next: ['Run Signalbox on Linux, or in a virtual machine with it, where commands have a gate'],
  });
}

const SILENT = { signal: new AbortController().signal, onOutput: () => undefined };

function isolationOf(): Isolation {
  const isLinux = process.platform === 'linux';
  const by = isLinux ? `By ${RUNTIME}` : `By ${RUNTIME}, not verified: untested on macOS`;
  const enforced: Isolation['fs'] = { strength: 'enforced', why: by };
  const off = (why: string): Isolation['fs'] => ({ strength: 'off', why });
  const sampled: Isolation['fs'] = isLinux
    ? { strength: 'sampled', why: 'Sampled every 100 ms' }
    : off('Not measured on macOS; only the time limit applies');
  return {
    layer: 'macos',
    backend: RUNTIME,
    fs: enforced,
    net: enforced,
    pid: isLinux ? enforced : off('Processes that leave the process group survive'),
    syscalls: isLinux ? enforced : off('Not filtered on this system'),
    limits: {
      cpu: sampled,
      memory: sampled,
      processes: off('Not counted; only the time limit applies'),
      disk: sampled,
    },
    tracking: off('Commands write to the workspace directly'),
  };
}

/**
 * Absolute paths of its module and its folder; it runs programs of that folder in its sandbox.
 *
 * @param from The module that would import it.
 * @throws {SandboxError} when it is not installed
 */
export function findRuntime(from = import.meta.url): { readonly module: string; readonly folder: string } {
  const description = descriptionOf(from);
  if (description === undefined) {
    throw new SandboxError(`Cannot run commands: "${RUNTIME}" is not installed beside Signalbox`, {
      next: [`Install it where Signalbox is: npm install ${RUNTIME}`],
    });
  }
  const folder = realpathSync(dirname(description));
  return { module: createRequire(description).resolve(folder), folder };
}

/** Searches only next to the importing module: folders named by the environment don't count. */
function descriptionOf(from: string): string | undefined {
  try {
    return findPackageJSON(RUNTIME, from);
  } catch {
    return undefined;
  }
}
