import { spawn } from 'node:child_process';
import type { Service, Services } from '@signalbox/core';

/** Runs programs without confinement, to test this package without the sandbox. */
export const spawnedServices: Services = {
  async start({ argv: [program, ...args], env }): Promise<Service> {
    const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('close', (code, signal) =>
        resolve(signal === null ? `exited with code ${code}` : `was killed by ${signal}`),
      );
    });
    return {
      watch: null,
      write: (text) => void child.stdin.write(text),
      listen(onOutput, onError) {
        child.stdout.on('data', onOutput);
        child.stderr.on('data', onError);
      },
      ended,
      async stop() {
        child.kill('SIGKILL');
        await ended;
        return [];
      },
    };
  },
};
