import type { Clock, CommandId, EventLog, Logger, ProviderId } from '@signalbox/core';

type Stream = 'stdout' | 'stderr';

/** Passes a text on in redacted pieces, holding back what may be the start of a secret. */
export type RedactedStream = { push(text: string): string; end(): string };

export type LiveOutput = {
  push(stream: Stream, text: string): void;
  /** Sends the rest; after it the command's end may be published. */
  end(): Promise<void>;
};

const BATCH_MS = 50;
const BATCH_LENGTH = 16 * 1024;
/** UTF-16 units of events per command and stream; later output is in the stored output only. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Turns a command's output into `command_output` events: redacted, buffered for 50 ms or 16 KiB, in order, at most 1
 * MiB per stream. If the event log fails, live output is lost; the command never fails for it.
 */
export function createLiveOutput(options: {
  readonly commandId: CommandId;
  readonly provider: ProviderId;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redacted: () => RedactedStream;
}): LiveOutput {
  const { commandId, provider, events, clock, logger } = options;
  const redactors = { stdout: options.redacted(), stderr: options.redacted() };
  const waiting: Record<Stream, string> = { stdout: '', stderr: '' };
  const sent: Record<Stream, number> = { stdout: 0, stderr: 0 };
  let cancelTimer: (() => void) | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  let over = false;

  function flush(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    for (const stream of ['stdout', 'stderr'] as const) {
      const output = waiting[stream].slice(0, Math.max(0, MAX_LENGTH - sent[stream]));
      waiting[stream] = '';
      if (output === '') continue;
      sent[stream] += output.length;
      sending = sending
        .then(() => events.append([{ type: 'command_output', commandId, provider, stream, output }]))
        .catch((error: unknown) => logger.warn({ commandId, error }, 'live output lost'));
    }
  }

  function add(stream: Stream, text: string): void {
    waiting[stream] += text;
    if (waiting[stream].length >= BATCH_LENGTH) flush();
    else cancelTimer ??= clock.timer(BATCH_MS, flush);
  }

  return {
    push(stream, text) {
      // A tool that was given up may still print; beyond the bound a search for secrets is wasted.
      if (!over && sent[stream] < MAX_LENGTH) add(stream, redactors[stream].push(text));
    },
    async end() {
      over = true;
      add('stdout', redactors.stdout.end());
      add('stderr', redactors.stderr.end());
      flush();
      await sending;
    },
  };
}
