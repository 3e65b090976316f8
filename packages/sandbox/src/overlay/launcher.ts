import { accessSync, constants } from 'node:fs';

/**
 * Sets up an overlay of the workspace in its own mount namespace, then becomes bubblewrap.
 *
 * The upper layer is in memory, which limits its bytes and names, or in a folder on a disk, named by
 * bubblewrap's future pid. We can read it through `/proc` as long as bubblewrap lives, as its outer process
 * stays in this namespace.
 *
 * An overlay of root can rename folders of its lower layer (`redirect_dir`); one in a user namespace answers
 * `EXDEV`. Both show the inode numbers of the lower layer (`xino=off`).
 */
const SCRIPT = `
exec 8<"$1"
if [ -z "$6" ]; then
  command -p mount -t tmpfs -o "size=$3,nr_inodes=$4,mode=700" signalbox "$2" || exit 125
else
  command -p mkdir -m 700 "$6/$$" && command -p mount --bind "$6/$$" "$2" || exit 125
fi
exec 9<"$2"
at=/proc/self/fd/9
command -p mkdir "$at/upper" "$at/work" "$at/merged" || exit 125
layers="lowerdir=/proc/self/fd/8,upperdir=$at/upper,workdir=$at/work,volatile"
mount_with() { command -p mount -t overlay signalbox -o "$layers,$1" "$2/merged"; }
{ [ "$5" = root ] && mount_with "redirect_dir=on,xino=off" "$2" 2>/dev/null; } ||
  mount_with userxattr,xino=off "$2" || exit 125
exec 8<&- 9<&-
shift 6
exec "$@"
`;

export type LauncherOptions = {
  readonly unshare: string;
  readonly uid: number;
  readonly workspace: string;
  /** An empty folder used as mount point, in each command's own namespace. */
  readonly mountPoint: string;
  readonly maxBytes: number;
  readonly maxNames: number;
  /** Folder on a disk for written files; null keeps them in memory. */
  readonly disk: string | null;
};

/** Prefixes bubblewrap's argv with the overlay set-up. */
export function launcherArgv(
  options: LauncherOptions,
  argv: readonly string[],
): readonly [string, ...string[]] {
  const { unshare, uid, workspace, mountPoint, maxBytes, maxNames, disk } = options;
  // Only root can mount without a user namespace.
  const namespaces = uid === 0 ? '-m' : '-Urm';
  const bash = ['/bin/bash', '--noprofile', '--norc', '-c', SCRIPT, 'signalbox'];
  const sizes = [String(maxBytes), String(maxNames), uid === 0 ? 'root' : 'user', disk ?? ''];
  return [unshare, namespaces, '--propagation', 'private', ...bash, workspace, mountPoint, ...sizes, ...argv];
}

/** The `unshare` program of util-linux, or null. */
export function findUnshare(): string | null {
  for (const path of ['/usr/bin/unshare', '/bin/unshare']) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Try the next one.
    }
  }
  return null;
}
