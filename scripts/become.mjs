// Must itself run on old versions of Node.js, and without any package.
import { spawn } from 'node:child_process';

/**
 * Runs the task's program in the foreground: passes signals on to it, and exits as it exits.
 *
 * @param isTied whether the program is given a channel that breaks when this process is killed
 */
export function become(command, commandArgs, { cwd, env, isTied = false }) {
  const stdio = ['inherit', 'inherit', 'inherit', ...(isTied ? ['ipc'] : [])];
  const child = spawn(command, commandArgs, { cwd, env, stdio });
  child.on('error', (error) => {
    process.stderr.write(`signalbox: ${command}: ${error.message}\n`);
    process.exit(1);
  });
  // Ctrl-C reaches the whole foreground group, the child too; other signals reach only this process.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Ends this process, in order, soon after the process that started it was killed. */
export function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
