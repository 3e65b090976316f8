import type { Logger, Redactor } from '@signalbox/core';
import { pino, stdSerializers } from 'pino';
import { createLogFile, type LogFileState } from './log-file.ts';

const MAX_BYTES = 16 * 1024 ** 2;

/**
 * Diagnostic log of a workspace: one JSON line per event, redacted, readable only by its owner. Above 16 MiB the file
 * is renamed to `….1`, replacing the previous one.
 *
 * Logging never throws: lines that can't be written are dropped, and `onChanged` reports it once.
 */
export function openLog(options: {
  readonly file: string;
  readonly redactor: Redactor;
  /** Includes debug lines. */
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
