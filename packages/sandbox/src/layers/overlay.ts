import { mkdirSync } from 'node:fs';
import { totalmem, userInfo } from 'node:os';
import { type Isolation, SandboxError } from '@signalbox/core';
import type { CommandPlace } from '../command-place.ts';
import { commitsOf } from '../commit/commit.ts';
import { createWriteRefusals } from '../commit/write-refusals.ts';
import { defaultIsDenied } from '../default-denials.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { TRIAL } from '../isolation.ts';
import { findUnshare, launcherArgv, type LauncherOptions } from '../overlay/launcher.ts';
import { asTransaction, whyNoOverlay } from '../overlay/try-overlay.ts';
import { rehearse, runTransaction, type TransactionOptions } from '../transaction-run.ts';
import type { LayerRequest, Layer } from './layer.ts';

/** What a command may make of files, folders and links in all. */
const MAX_NAMES = 500_000;

/**
 * L1: bubblewrap on an overlay of the workspace, whose files are put there when the command is dead. What only
 * looks needs no overlay and runs on `bind`.
 */
export function createOverlayLayer(place: CommandPlace, bind: Layer, options: ExecutorOptions): Layer {
  const { workspace, stateFolder, isDenied = defaultIsDenied } = options;
  const whyRefused = createWriteRefusals(workspace, isDenied);
  const launcher: LauncherOptions = {
    unshare: findUnshare() ?? '',
    uid: userInfo().uid,
    workspace,
    mountPoint: `${stateFolder}/overlay`,
    maxBytes: options.maxWrittenBytes ?? Math.min(2 * 1024 ** 3, Math.floor(totalmem() / 4)),
    maxNames: MAX_NAMES,
  };

  /** With the bounds of one command. */
  function launcherFor({ limits }: LayerRequest): LauncherOptions {
    const { writtenBytes = launcher.maxBytes, writtenFiles = launcher.maxNames } = limits;
    return { ...launcher, maxBytes: writtenBytes, maxNames: writtenFiles };
  }

  function transactionOptions(request: LayerRequest, isolation: Isolation): TransactionOptions {
    const own = launcherFor(request);
    const argv = launcherArgv(own, place.confinedArgv(request, `${launcher.mountPoint}/merged`));
    mkdirSync(launcher.mountPoint, { recursive: true, mode: 0o700 });
    return {
      run: place.confinedRun(request, isolation, argv),
      launcher: own,
      clockFile: `${stateFolder}/kernel-time`,
      commits: commitsOf(stateFolder),
      writer: options.writer,
      whyRefused,
      rules: options.transactionRules ?? {},
    };
  }

  let bound: Isolation | null = null;

  return {
    name: 'overlay',
    async probe() {
      const below = (bound = await bind.probe());
      const why = await whyNoOverlay(
        TRIAL,
        async (request) => rehearse(request, SILENT, transactionOptions(request, below)),
        options,
      );
      if (why === null) return asTransaction(below, launcher);
      throw new SandboxError('Cannot run commands as transactions', {
        why: [why],
        next: ['signalbox doctor'],
      });
    },
    async run(request, hooks, isolation) {
      if (request.workspace === 'write') {
        const { maxBytes, maxNames } = launcherFor(request);
        const limits = { ...request.limits, writtenBytes: maxBytes, writtenFiles: maxNames };
        const current = asTransaction(isolation, { maxBytes, maxNames });
        return runTransaction({ ...request, limits }, hooks, transactionOptions(request, current));
      }
      const { layer, limits } = bound ?? isolation;
      return bind.run(request, hooks, { ...isolation, layer, limits, tracking: ONLY_LOOKS });
    },
  };
}

const SILENT = { signal: new AbortController().signal, onOutput: () => undefined };

const ONLY_LOOKS: Isolation['tracking'] = { strength: 'enforced', why: 'It can only look' };
