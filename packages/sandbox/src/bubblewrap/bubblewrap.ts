import { accessSync, constants, realpathSync } from 'node:fs';
import { isWithin, type NetworkAccess } from '@signalbox/core';
import { SECCOMP, STATUS } from './init.ts';

/** Only without a network of its own, or of nobody, is the one that we are in. */
export type Namespaces = { readonly network: NetworkAccess };

/** Where the system's own packages put it; `path` is searched after these. */
const USUAL = ['/usr/bin', '/usr/local/bin', '/bin'];

/** The program, or null. One inside the workspace is none: a command could have put it there. */
export function findBubblewrap(path: string, workspace: string): string | null {
  const folders = [...USUAL, ...path.split(':').filter((folder) => folder.startsWith('/'))];
  for (const folder of folders) {
    const program = executableAt(`${folder}/bwrap`);
    if (program !== null && !isWithin(program, workspace)) return program;
  }
  return null;
}

function executableAt(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return realpathSync(path);
  } catch {
    return null;
  }
}

/**
 * Everything of bubblewrap but the mounts: namespaces of its own, no capabilities, no way to new ones, a
 * session without a terminal, death together with us.
 *
 * Its own environment must be clean already: it can be read inside as that of process 1.
 */
export function confinementArguments(
  identity: { readonly uid: number; readonly gid: number },
  namespaces: Namespaces,
): string[] {
  return [
    ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    namespaces.network === 'off' ? ['--unshare-net'] : [],
    ['--uid', String(identity.uid), '--gid', String(identity.gid), '--disable-userns'],
    ['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    ['--json-status-fd', String(STATUS), '--seccomp', String(SECCOMP)],
  ].flat();
}
