import { errorText, SignalboxError } from '@signalbox/core';
import { EXIT, type ExitCode } from './exit-code.ts';
import { machineRefusal } from './machine-refusal.ts';

/** Where in a settings file the mistake is. */
export type ReportPicture = Readonly<{
  file: string;
  line: number;
  column: number;
  source: readonly string[];
  length: number;
}>;

/** An error as shown to people and programs. */
export type ErrorReport = Readonly<{
  code: string;
  message: string;
  why: readonly string[];
  next: readonly string[];
  exit: ExitCode;
  picture?: ReportPicture;
  /** Only with `-vv`. */
  stack?: string;
  /** Messages of the causes, outermost first. Only with `-v`. */
  causes: readonly string[];
}>;

/**
 * The report of any thrown value. Errors of the operating system are reported as such; any other unexpected error is a
 * bug: `invariant`, exit code 70.
 */
export function errorReport(thrown: unknown): ErrorReport {
  const error = machineRefusal(thrown) ?? thrown;
  const causes = causesOf(error);
  const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {};
  if (error instanceof SignalboxError) {
    const picture =
      'picture' in error && error.picture !== undefined ? { picture: error.picture as ReportPicture } : {};
    const { code, message, why, next } = error;
    return { code, message, why, next, exit: exitCodeOf(error), causes, ...picture, ...stack };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return {
      code: 'interrupted',
      message: 'Stopped',
      why: [],
      next: [],
      exit: EXIT.interrupted,
      causes,
      ...stack,
    };
  }
  const message = errorText(error);
  return {
    code: 'invariant',
    message: `Cannot go on: ${message === '' ? 'an unknown error' : message}`,
    why: ['this is a bug of Signalbox, not a mistake of yours'],
    next: [],
    exit: EXIT.bug,
    causes,
    ...stack,
  };
}

/** The document that `--json` prints. */
export function errorDocument({ code, message, why, next, exit }: ErrorReport): unknown {
  return { error: { code, message, why, next, exit } };
}

/** Codes whose exit code differs from that of their class. */
const EXIT_BY_CODE: Readonly<Record<string, ExitCode>> = {
  denied: EXIT.denied,
  'not-allowed': EXIT.denied,
  'denied-by-mode': EXIT.denied,
  'path-outside': EXIT.denied,
  'inside-command': EXIT.denied,
  'approval-expired': EXIT.denied,
  'needs-approval': EXIT.needsApproval,
  'already-decided': EXIT.conflict,
  'already-done': EXIT.conflict,
  'changed-call': EXIT.conflict,
  'stale-write': EXIT.conflict,
  'queue-full': EXIT.limit,
  'budget-spent': EXIT.limit,
  lost: EXIT.lost,
};

const EXIT_BY_CLASS: Readonly<Record<string, ExitCode>> = {
  UsageError: EXIT.usage,
  SettingsFileError: EXIT.usage,
  UnavailableError: EXIT.unavailable,
  ProviderError: EXIT.unavailable,
  SandboxError: EXIT.unavailable,
  LeaseLostError: EXIT.lost,
  RevisionError: EXIT.conflict,
  StaleWriteError: EXIT.conflict,
  ToolFailure: EXIT.failed,
  InvariantError: EXIT.bug,
};

function exitCodeOf(error: SignalboxError): ExitCode {
  return EXIT_BY_CODE[error.code] ?? EXIT_BY_CLASS[error.name] ?? EXIT.bug;
}

function causesOf(error: unknown): readonly string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && cause !== null && causes.length < 10) {
    causes.push(cause instanceof Error ? cause.message : JSON.stringify(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
