import { closeSync, fstatSync, writeSync } from 'node:fs';
import { RecoveryView } from '@signalbox/api';
import { ReportedCode, SignalboxError, UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';

/** The descriptor on which the starting client waits for the report. */
const REPORT_DESCRIPTOR = 3;

/** Reports of a coordinator to the client that started it, one per line: progress, then the last one. */
const StartReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('recovering'), progress: RecoveryView }),
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('failed'),
    isUsage: z.boolean(),
    code: ReportedCode,
    message: z.string(),
    why: z.array(z.string()),
    next: z.array(z.string()),
  }),
]);
type StartReport = z.infer<typeof StartReport>;

/** Reports to the waiting client, which may be gone. */
export type StartReporter = Readonly<{
  /** Progress of recovery. Writes nothing after the last report: the descriptor may be reused by then. */
  recovering(progress: RecoveryView): void;
  /** The last report: it accepts connections, or an error why it can't. */
  started(error: unknown): void;
}>;

export function createStartReporter(descriptor: number | null = pipeOfStarter()): StartReporter {
  let isOver = false;
  function say(report: StartReport): void {
    if (descriptor === null) return;
    try {
      writeSync(descriptor, `${JSON.stringify(report)}\n`);
    } catch {
      // No client waits.
    }
  }
  return {
    recovering(progress) {
      if (!isOver) say({ kind: 'recovering', progress });
    },
    started(error) {
      if (isOver) return;
      isOver = true;
      say(reportOf(error));
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

/** Null if a user typed `signalbox coordinator`: that descriptor then belongs to Node.js, and stays open. */
function pipeOfStarter(): number | null {
  try {
    const found = fstatSync(REPORT_DESCRIPTOR);
    return found.isFIFO() || found.isSocket() ? REPORT_DESCRIPTOR : null;
  } catch {
    return null;
  }
}

function reportOf(error: unknown): StartReport {
  if (error === null) return { kind: 'ready' };
  const message = error instanceof Error ? error.message : 'It failed';
  const { why = [], next = [] } = error instanceof SignalboxError ? error : {};
  const code = error instanceof SignalboxError ? error.code : 'coordinator-not-started';
  return {
    kind: 'failed',
    isUsage: error instanceof UsageError,
    code: ReportedCode.parse(code),
    message,
    why: [...why],
    next: [...next],
  };
}

/** Parses one line; null if it is not a report. */
export function readStartReport(text: string): 'ready' | RecoveryView | UsageError | UnavailableError | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const report = StartReport.safeParse(parsed).data;
  if (report === undefined) return null;
  if (report.kind === 'ready') return 'ready';
  if (report.kind === 'recovering') return report.progress;
  const { isUsage, code, message, why, next } = report;
  return isUsage
    ? new UsageError(code, message, { why, next })
    : new UnavailableError(code, message, { why, next });
}
