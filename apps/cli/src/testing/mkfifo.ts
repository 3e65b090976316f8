import { spawnSync } from 'node:child_process';

/** Makes a named pipe; Node.js has no call for it. */
export function mkfifoSync(path: string): void {
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
