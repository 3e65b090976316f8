// Must itself run on old versions of Node.js, and without any package.
import { spawn } from 'node:child_process';

/**
 * Runs the program that is the task itself: passes signals on to it, and ends as it ends.
 *
 * @param isTied whether the program hears, by a channel that breaks, that this process was killed
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
