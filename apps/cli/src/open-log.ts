import { renameSync, statSync } from 'node:fs';
import type { Logger, Redactor } from '@signalbox/core';
import { destination, pino, stdSerializers } from 'pino';

const MAX_BYTES = 16 * 1024 ** 2;

/**
 * The log of a workspace for those who look for a fault: one JSON line for each event, redacted, for its owner
 * alone. At an opening a file over 16 MiB becomes `….1`, in place of the one before.
 */
export function openLog(options: {
  readonly file: string;
  readonly redactor: Redactor;
  /** Debug lines too. */
  readonly verbose: boolean;
}): Logger {
  const { file, redactor, verbose } = options;
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(file, `${file}.1`);
  const sink = destination({ dest: file, mode: 0o600, sync: true });
  return pino(
    {
      level: verbose ? 'debug' : 'info',
      base: { pid: process.pid },
      serializers: { error: stdSerializers.err },
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
    },
    { write: (line: string) => sink.write(redactor.redact(line)) },
  );
}
