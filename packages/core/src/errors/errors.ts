import type { ReportedCode, UnavailableCode, UsageCode } from './error-codes.ts';
import type { ErrorCategory } from './error-category.ts';
import type { Failure } from './failure.ts';

/** Base of all errors that we throw. Code switches on `code`, never on `message`. */
export abstract class SignalboxError extends Error {
  abstract readonly code: string;
  /** Facts behind the message, one a line. */
  readonly why: readonly string[];
  /** What to do next: sentences or subcommands to paste. */
  readonly next: readonly string[];

  constructor(
    message: string,
    options: ErrorOptions & { why?: readonly string[]; next?: readonly string[] } = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.why = options.why ?? [];
    this.next = options.next ?? [];
  }
}

type Details = ErrorOptions & { why?: readonly string[]; next?: readonly string[] };

/** The input is wrong: fix it. */
export class UsageError extends SignalboxError {
  readonly code: UsageCode | ReportedCode;
  constructor(code: UsageCode | ReportedCode, message: string, details: Details = {}) {
    super(message, details);
    this.code = code;
  }
}

/** Something needed is unavailable now: try later. */
export class UnavailableError extends SignalboxError {
  readonly code: UnavailableCode | ReportedCode;
  constructor(code: UnavailableCode | ReportedCode, message: string, details: Details = {}) {
    super(message, details);
    this.code = code;
  }
}

/** Our lease is gone: stop at once, write nothing more. */
export class LeaseLostError extends SignalboxError {
  readonly code = 'lease-lost';
}

/** A bug of ours. */
export class InvariantError extends SignalboxError {
  readonly code = 'invariant';
}

/** The command could not be confined, so it was not run. Never a reason to run it without confinement. */
export class SandboxError extends SignalboxError {
  readonly code: 'sandbox_error' | 'command_not_confined';
  /**
   * @param details.isOfCommand Whether the sandbox itself works and this command or the tree causes the error. Default
   * false.
   */
  constructor(
    message: string,
    { isOfCommand = false, ...details }: Details & { isOfCommand?: boolean } = {},
  ) {
    super(message, details);
    this.code = isOfCommand ? 'command_not_confined' : 'sandbox_error';
  }
}

/** The record was committed by another writer first: read it again and decide again. */
export class RevisionError extends SignalboxError {
  readonly code = 'revision';
}

/**
 * The expected failure of a handler; its message is sent to the model. Any other error of a handler is hidden from the
 * model (V3).
 */
export class ToolFailure extends SignalboxError {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly suggestion: string | undefined;
  /** Nothing was done yet: the same call may be executed again, whatever its tool. */
  readonly isUntouched: boolean;

  constructor(options: {
    code: string;
    category: ErrorCategory;
    message: string;
    suggestion?: string;
    why?: readonly string[];
    cause?: unknown;
    isUntouched?: boolean;
  }) {
    super(options.message, { cause: options.cause, why: options.why ?? [] });
    this.isUntouched = options.isUntouched ?? false;
    this.code = options.code;
    this.category = options.category;
    this.suggestion = options.suggestion;
  }

  toFailure(): Failure {
    return {
      code: this.code,
      category: this.category,
      message: this.message,
      ...(this.suggestion === undefined ? {} : { suggestion: this.suggestion }),
      ...(this.why.length === 0 ? {} : { why: this.why }),
      visibility: 'visible',
    };
  }
}
