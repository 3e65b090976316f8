import type { Logger, Redactor } from '@signalbox/core';
import { pino, stdSerializers } from 'pino';
import { createLogFile, type LogFileState } from './log-file.ts';

const MAX_BYTES = 16 * 1024 ** 2;

/**
 * The diagnostic log of a workspace: one JSON line for each event, redacted, readable by its owner alone. Over 16 MiB
 * the file becomes `….1`, in place of the one before.
 *
 * Logging never throws: what can't be written is dropped, and `onChanged` says so once.
 */
export function openLog(options: {
  readonly file: string;
  readonly redactor: Redactor;
  /** Debug lines too. */
  readonly verbose: boolean;
  readonly maxBytes?: number;
  readonly onChanged?: (state: LogFileState) => void;
}): Logger {
  const { file, redactor, verbose, maxBytes = MAX_BYTES, onChanged = () => undefined } = options;
  const sink = createLogFile({ file, maxBytes, onChanged });
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
