import { accessSync, constants, realpathSync } from 'node:fs';
import { isWithin, type NetworkAccess } from '@signalbox/core';
import { SECCOMP, STATUS } from './init.ts';

/** Network `off` gets a new network namespace. Otherwise bubblewrap stays in the one it is started in. */
export type Namespaces = { readonly network: NetworkAccess };

/** Where system packages install it. `path` is searched after these. */
const USUAL = ['/usr/bin', '/usr/local/bin', '/bin'];

/** Finds the program, or null. Programs inside the workspace are ignored: a command could have created them. */
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
 * The arguments of bubblewrap except the mounts: its own namespaces, no capabilities and no way to gain any, a
 * session without a terminal, and death with its parent.
 *
 * Start it with a clean environment: it can be read inside as that of process 1.
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
