import { closeSync, writeSync } from 'node:fs';
import { RecoveryProgress } from '@signalbox/api';
import { SignalboxError, UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';

/** The descriptor on which who starts a coordinator waits for its word. */
const REPORT_DESCRIPTOR = 3;

/** What a coordinator reports to who has started it, a line each: how far it is, then its last word. */
const StartReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('recovering'), progress: RecoveryProgress }),
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('failed'),
    isUsage: z.boolean(),
    code: z.string(),
    message: z.string(),
    why: z.array(z.string()),
    next: z.array(z.string()),
  }),
]);
type StartReport = z.infer<typeof StartReport>;

/** Says that it can be connected to, or with an error why it can't; whoever waited may have gone. */
export function reportStart(error: unknown): void {
  try {
    writeSync(REPORT_DESCRIPTOR, `${JSON.stringify(reportOf(error))}\n`);
    closeSync(REPORT_DESCRIPTOR);
  } catch {
    // Nobody waits.
  }
}

/** Says how far its recovery is, before the last word. */
export function reportRecovery(progress: RecoveryProgress): void {
  try {
    writeSync(REPORT_DESCRIPTOR, `${JSON.stringify({ kind: 'recovering', progress })}\n`);
  } catch {
    // Nobody waits.
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
    code,
    message,
    why: [...why],
    next: [...next],
  };
}

/** One line of it; null for what is no report. */
export function readStartReport(
  text: string,
): 'ready' | RecoveryProgress | UsageError | UnavailableError | null {
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
