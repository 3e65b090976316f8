import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { visible } from '@signalbox/core/visible-text';
import * as z from 'zod';
import { RUN_FOLDER } from '../../runtime/server/coordinator-record.ts';
import { LOG_FILE } from '../../client/log-of-coordinator.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { interrupted } from '../../live/interrupted.ts';
import { readStateFile } from '../../runtime/workspace/state-file.ts';
import { STATE_FOLDER } from '../../runtime/workspace/state-folder.ts';

/** `signalbox logs [-f]`: what the coordinator in the background has said. */
export const logs = defineSubcommand({
  name: 'logs',
  args: z.object({ follow: z.boolean().default(false) }),
  async run({ follow }, context) {
    const file = join(context.directory, STATE_FOLDER, RUN_FOLDER, LOG_FILE);
    const text = readStateFile(file);
    if (text === null && !follow) throw noLog(file);
    const older = readStateFile(`${file}.1`) ?? '';
    show(older + (text ?? ''), context);
    if (follow) await followLog(file, Buffer.byteLength(text ?? ''), context);
    return EXIT.ok;
  },
});

async function followLog(file: string, from: number, context: Context): Promise<void> {
  let at = from;
  let reading = Promise.resolve();
  const readOn = async (): Promise<void> => {
    const log = await open(file).catch(() => null);
    if (log === null) return;
    try {
      const { size } = await log.stat();
      // It went on empty.
      if (size < at) at = 0;
      const { buffer, bytesRead } = await log.read(Buffer.alloc(size - at), 0, size - at, at);
      at += bytesRead;
      show(buffer.toString('utf8', 0, bytesRead), context);
    } finally {
      await log.close();
    }
  };
  const watcher = watch(dirname(file), () => {
    reading = reading.then(readOn).catch(() => undefined);
  });
  await interrupted(context);
  watcher.close();
  await reading;
}

function show(text: string, context: Context): void {
  const rows = text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
  for (const row of rows) {
    context.json({ line: row });
    if (!context.flags.json) context.write(`${visible(row)}\n`);
  }
}

function noLog(file: string): UnavailableError {
  return new UnavailableError(
    'no-log',
    'Cannot show the log: no coordinator has run in the background here',
    {
      why: [`no file "${file}"`],
      next: ['signalbox audit   what commands did'],
    },
  );
}
