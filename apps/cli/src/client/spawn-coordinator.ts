import { closeSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UnavailableError } from '@signalbox/core';
import { startProcess } from '@signalbox/sandbox';
import type { Doors } from '../house.ts';
import { openStateFile } from '../workspace/state-file.ts';
import { STATE_FOLDER } from '../workspace/state-folder.ts';
import { coordinatorEnv } from './coordinator-env.ts';
import { RUN_FOLDER } from './coordinator-record.ts';
import { readStartReport } from './start-report.ts';

const LOG = 'coordinator.log';

/**
 * Starts a coordinator in a session of its own, so that neither Ctrl-C nor the end of a terminal reaches it, and waits for
 * its word.
 */
export const spawnCoordinator: Doors['startCoordinator'] = async ({ workspace, env }) => {
  const folder = join(workspace, STATE_FOLDER, RUN_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = join(folder, LOG);
  const descriptor = openStateFile(log, 'append');
  try {
    const child = startProcess({
      argv: [process.execPath, ownEntry(), '-C', workspace, '--no-input', 'coordinator'],
      cwd: '/',
      env: coordinatorEnv(env),
      descriptors: ['ignore', descriptor, descriptor, 'pipe'],
    });
    const pipe = child.streams[3];
    const text = pipe instanceof Readable ? await textOf(pipe) : '';
    child.hold(false);
    const report = readStartReport(text);
    if (report === 'ready') return;
    // Another one was quicker: that one is as good.
    if (report?.code === 'workspace-held') return;
    throw report ?? silent(log);
  } finally {
    closeSync(descriptor);
  }
};

async function textOf(pipe: Readable): Promise<string> {
  let text = '';
  for await (const chunk of pipe) text += String(chunk);
  return text;
}

/** The file that this very program is started by. */
function ownEntry(): string {
  const built = join(import.meta.dirname, 'main.js');
  return existsSync(built) ? built : join(import.meta.dirname, '../main.ts');
}

function silent(log: string): UnavailableError {
  return new UnavailableError('coordinator-not-started', 'Cannot start the coordinator: it ended at once', {
    next: [`what it said: ${log}`],
  });
}
