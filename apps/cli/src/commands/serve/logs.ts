import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { UnavailableError } from '@signalbox/core';
import { visible } from '@signalbox/core/visible-text';
import * as z from 'zod';
import { RUN_FOLDER } from '../../runtime/server/coordinator-record.ts';
import { nextChange } from '../../runtime/server/with-file-lock.ts';
import { LOG_FILE } from '../../client/log-of-coordinator.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { interrupted } from '../../live/interrupted.ts';
import { readStateFile, readStateFrom } from '../../runtime/workspace/state-file.ts';
import { STATE_FOLDER } from '../../runtime/workspace/state-folder.ts';
import { as, line } from '../../terminal/line.ts';

/** `signalbox logs [-f]`: messages of the coordinator in the background. */
export const logs = defineSubcommand({
  name: 'logs',
  args: z.object({ follow: z.boolean().default(false) }),
  async run({ follow }, context) {
    const file = join(context.directory, STATE_FOLDER, RUN_FOLDER, LOG_FILE);
    const text = readStateFile(file);
    const older = readStateFile(`${file}.1`) ?? '';
    if (text === null && !follow) throw noLog(file);
    if (older === '' && (text ?? '') === '') context.say([line(as('muted', emptyText(text)))]);
    const reader = createLineReader((row) => show(row, context));
    reader.take(older);
    if (follow) await followLog(file, reader, context);
    else {
      reader.take(text ?? '');
      reader.end();
    }
    return EXIT.ok;
  },
});

function emptyText(text: string | null): string {
  if (text === null) return 'no coordinator has run in the background here yet';
  return 'the log is empty: no warnings, no errors · signalbox audit   what commands did';
}

/** Reads the log from its beginning, and on as it grows. */
async function followLog(file: string, reader: LineReader, context: Context): Promise<void> {
  const left = interrupted(context).then(() => 'left' as const);
  const decoder = new StringDecoder();
  let at = 0;
  for (;;) {
    const changed = nextChange(dirname(file), context.clock);
    const log = readStateFrom(file, at);
    if (log !== null) {
      // It is emptied when it has grown large.
      if (log.from < at) reader.drop();
      at = log.from + log.bytes.length;
      reader.take(decoder.write(log.bytes));
    }
    const next = await Promise.race([left, changed.promise]);
    changed.ignore();
    if (next === 'left') return;
  }
}

type LineReader = ReturnType<typeof createLineReader>;

/** Splits text that arrives in pieces into complete lines. */
function createLineReader(tell: (row: string) => void) {
  let rest = '';
  return {
    take(text: string): void {
      const rows = `${rest}${text}`.split('\n');
      rest = rows.pop() ?? '';
      for (const row of rows) tell(row);
    },
    /** An incomplete line will never be completed. */
    drop(): void {
      rest = '';
    },
    end(): void {
      if (rest !== '') tell(rest);
    },
  };
}

function show(row: string, context: Context): void {
  context.json({ line: row });
  if (!context.flags.json) context.write(`${visible(row)}\n`);
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
