import { readFileSync, statSync } from 'node:fs';
import { type Execution, type Isolation, isWithin } from '@signalbox/core';
import type { BoundedRequest } from '../limits/bounded-limits.ts';
import type { LauncherOptions } from './launcher.ts';
import type { WriteSetChange } from './write-set.ts';

type DryRun = (
  request: BoundedRequest,
) => Promise<{ readonly execution: Execution; readonly changes: readonly WriteSetChange[] }>;

const NAME = 'signalbox-trial-of-the-overlay';

/**
 * Tests whether commands can run as transactions, by running one and checking its write set.
 *
 * @returns null if they can, or why not
 */
export async function whyNoOverlay(
  request: BoundedRequest,
  dryRun: DryRun,
  folders: { readonly workspace: string; readonly stateFolder: string },
): Promise<string | null> {
  const { workspace, stateFolder } = folders;
  if (statSync(workspace).dev !== statSync(stateFolder).dev) {
    return 'The state folder is on another file system than the workspace';
  }
  const below = mountsBelow(workspace);
  if (below.length > 0) return `Another file system is mounted in the workspace: ${below.join(', ')}`;
  const line = `mkdir ${NAME} && echo trial >${NAME}/file && cat ${NAME}/file`;
  try {
    const trial: BoundedRequest = { ...request, program: { kind: 'shell', line }, workspace: 'write' };
    const { execution, changes } = await dryRun(trial);
    const found = changes.map(({ op, path }) => `${op} ${path}`).join(', ');
    if (found === `make ${NAME}, put ${NAME}/file` && execution.stdout.text === 'trial\n') {
      return statSync(`${workspace}/${NAME}`, { throwIfNoEntry: false }) === undefined
        ? null
        : 'A trial wrote to the workspace directly';
    }
    return `A trial did not report what it wrote: ${found || execution.stderr.text.trim() || 'nothing'}`;
  } catch (cause) {
    return cause instanceof Error ? reasonOf(cause) : String(cause);
  }
}

function reasonOf(cause: Error): string {
  const why = 'why' in cause && Array.isArray(cause.why) ? cause.why.join('; ') : '';
  return `No overlay can be mounted: ${why === '' ? cause.message : why}`;
}

/** An overlay shows only files on the workspace's own file system. */
function mountsBelow(workspace: string): string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const path = line
      .split(' ')[4]
      ?.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
    return path !== undefined && path !== workspace && isWithin(path, workspace) ? [path] : [];
  });
}

/** Derives the isolation of a transaction from that of other commands. */
export function asTransaction(
  isolation: Isolation,
  { maxBytes, maxNames, disk }: Pick<LauncherOptions, 'maxBytes' | 'maxNames' | 'disk'>,
): Isolation {
  const { limits } = isolation;
  const mebibytes = Math.round(maxBytes / 1024 ** 2);
  const transaction: Isolation = { ...isolation, layer: 'overlay', tracking: { strength: 'enforced' } };
  if (disk !== null) {
    const why = `Written files are on disk: up to ${mebibytes} MiB, sampled every 100 ms, and ${maxNames} names, counted at most twice a second`;
    return { ...transaction, limits: { ...limits, disk: { strength: 'sampled', why } } };
  }
  return {
    ...transaction,
    limits: {
      ...limits,
      memory: {
        strength: 'sampled',
        why: `Sampled every 100 ms; written files also use memory, up to ${mebibytes} MiB`,
      },
      disk: {
        strength: 'enforced',
        why: `${mebibytes} MiB and ${maxNames} names in total, and a limit on each file`,
      },
    },
  };
}
