import type { Clock, Logger } from '@signalbox/core';
import type { StreamedOutput, OutputStream } from './output-stream.ts';

/** Buffers what a command prints and appends it in batches, in order. */
export type OutputWriter = {
  push(stream: StreamedOutput['stream'], text: string): void;
  /** Appends the rest; resolves when everything is stored or given up. */
  end(): Promise<void>;
};

const BATCH_MS = 50;
const BATCH_LENGTH = 16 * 1024;

/**
 * Appends a batch every 50 ms or 16 KiB. If Redis can't take a batch, it is lost and logged; the command never fails
 * for it.
 */
export function createOutputWriter(options: {
  readonly output: OutputStream;
  readonly clock: Clock;
  readonly logger: Logger;
}): OutputWriter {
  const { output, clock, logger } = options;
  let gathered: StreamedOutput[] = [];
  let length = 0;
  let cancelTimer: (() => void) | undefined;
  let sending: Promise<void> = Promise.resolve();

  const flush = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (gathered.length === 0) return;
    const chunks = gathered;
    gathered = [];
    length = 0;
    sending = sending
      .then(() => output.append(chunks))
      .catch((error: unknown) => logger.warn({ error }, 'output of a command lost'));
  };

  return {
    push(stream, text) {
      if (text === '') return;
      const last = gathered.at(-1);
      if (last?.stream === stream) gathered[gathered.length - 1] = { stream, text: last.text + text };
      else gathered.push({ stream, text });
      length += text.length;
      if (length >= BATCH_LENGTH) flush();
      else cancelTimer ??= clock.timer(BATCH_MS, flush);
    },
    async end() {
      flush();
      await sending;
    },
  };
}
