import { mkdirSync } from 'node:fs';
import { type Isolation, SandboxError } from '@signalbox/core';
import { ownAccount } from '../account.ts';
import type { SandboxContext } from '../sandbox-context.ts';
import { commitsOf } from '../commit/commit.ts';
import { defaultIsDenied, type IsDenied } from '../denials/default-denials.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHiddenFromGit, hiddenFrom } from '../git/hidden-from-git.ts';
import { judgeGitChanges } from '../git/judge-git-changes.ts';
import { TRIAL } from '../isolation.ts';
import { memoryForFiles, withWrittenBounds } from '../limits/written-bounds.ts';
import { diskFolder, sweepDiskFolder } from '../overlay/disk-layer.ts';
import { findUnshare, launcherArgv, type LauncherOptions } from '../overlay/launcher.ts';
import { asTransaction, whyNoOverlay } from '../overlay/try-overlay.ts';
import { dryRun, runTransaction, type TransactionOptions } from '../transaction-run.ts';
import type { Layer, LayerRequest } from './layer.ts';

/** Installed packages contain names that look like secrets of the workspace but aren't. */
const PACKAGES = new Set(['node_modules', '.venv']);

/**
 * L1: bubblewrap on an overlay of the workspace, committed when the command is dead. Read-only commands need no
 * overlay and run on `bind`.
 */
export function createOverlayLayer(context: SandboxContext, bind: Layer, options: ExecutorOptions): Layer {
  const { workspace, stateFolder, isDenied = defaultIsDenied } = options;
  const whyRefused = createWriteRefusals(isDenied);
  const hideFromGit = createHiddenFromGit(workspace);
  const { uid } = ownAccount();
  const inMemory = memoryForFiles(options.filesInMemoryBytes);
  const common = { unshare: findUnshare() ?? '', uid, workspace, mountPoint: `${stateFolder}/overlay` };

  /** The launcher with the limits of one command. */
  function launcherFor({ limits }: LayerRequest): LauncherOptions {
    const { writtenBytes, writtenFiles } = withWrittenBounds(limits, inMemory);
    const disk = writtenBytes > inMemory ? diskFolder(options.disk ?? '/var/tmp', uid) : null;
    return { ...common, maxBytes: writtenBytes, maxNames: writtenFiles, disk };
  }

  function transactionOptions(request: LayerRequest, isolation: Isolation): TransactionOptions {
    const own = launcherFor(request);
    if (own.disk !== null) sweepDiskFolder(own.disk);
    const shown = `${common.mountPoint}/merged`;
    const argvNow = async () => launcherArgv(own, await context.confinedArgv(request, shown));
    mkdirSync(common.mountPoint, { recursive: true, mode: 0o700 });
    const hidden = hiddenFrom(request, options);
    return {
      run: context.confinedRun(request, isolation, argvNow),
      launcher: own,
      clockFile: `${stateFolder}/kernel-time`,
      commits: commitsOf(stateFolder),
      writer: options.writer,
      whyRefused,
      judgeGit: (changes) =>
        judgeGitChanges(workspace, changes, { hidden, fetches: request.fetches === true }),
      hideFromGit: (merged) => hideFromGit(merged, hidden),
      ...hidden,
      rules: options.transactionRules ?? {},
    };
  }

  let bound: Isolation | null = null;

  return {
    name: 'overlay',
    async probe() {
      // First: a sandbox that confines nothing would write to the workspace itself.
      const below = (bound = await bind.probe());
      const why = await whyNoOverlay(
        TRIAL,
        async (request) => dryRun(request, SILENT, transactionOptions(request, below)),
        options,
      );
      if (why === null) return asTransaction(below, launcherFor(TRIAL));
      throw new SandboxError('Cannot run commands as transactions', {
        why: [why],
        next: ['signalbox doctor'],
      });
    },
    async run(request, hooks, isolation) {
      if (request.workspace === 'write') {
        const limits = withWrittenBounds(request.limits, inMemory);
        const current = asTransaction(
          { ...isolation, limits: (bound ?? isolation).limits },
          launcherFor(request),
        );
        return runTransaction({ ...request, limits }, hooks, transactionOptions(request, current));
      }
      const { layer, limits } = bound ?? isolation;
      return bind.run(request, hooks, { ...isolation, layer, limits, tracking: READ_ONLY });
    },
  };
}

const SILENT = { signal: new AbortController().signal, onOutput: () => undefined };

const READ_ONLY: Isolation['tracking'] = { strength: 'enforced', why: 'It is read-only' };

/**
 * Returns why a command may not change a path, judged by its name; null when it may. Git's own files are judged
 * by content.
 */
function createWriteRefusals(isDenied: IsDenied): (path: string) => string | null {
  return (path) => {
    const segments = path.split('/');
    if (segments.some((segment) => PACKAGES.has(segment) || segment === '.git')) return null;
    return isDenied(path, 'write') ? 'policy denies writing it' : null;
  };
}
