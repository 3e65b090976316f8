import { SignalboxError } from './errors.ts';

export type ProviderErrorKind =
  | 'RateLimited'
  | 'ServerError'
  | 'NetworkError'
  | 'Timeout'
  /** The stream ended before its terminal event. */
  | 'Truncated'
  /** The response is not the protocol: a broken frame, a body that is not a stream. */
  | 'Protocol'
  | 'InvalidParameters'
  | 'Auth'
  | 'Quota'
  | 'ContextTooLong'
  | 'Refused'
  | 'Cancelled';

const RETRYABLE: ReadonlySet<ProviderErrorKind> = new Set([
  'RateLimited',
  'ServerError',
  'NetworkError',
  'Timeout',
  'Truncated',
  'Protocol',
]);

/** A turn failed. */
export class ProviderError extends SignalboxError {
  readonly code = 'provider';
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  /** How long the server asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  /** Whether part of the turn had arrived already. */
  readonly sawOutput: boolean;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: {
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      requestId?: string | undefined;
      sawOutput?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.sawOutput = details.sawOutput ?? false;
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}
