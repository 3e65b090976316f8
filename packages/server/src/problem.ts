import type { RequestCode } from './request-codes.ts';
import type { Problem } from '@signalbox/api';
import { type ReportedCode, SignalboxError, UnavailableError, UsageError } from '@signalbox/core';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';

type Details = { why?: readonly string[]; next?: readonly string[] };

/** A request that is answered with a {@link Problem} of this status. */
export class RequestRefusedError extends SignalboxError {
  readonly code: RequestCode | ReportedCode;
  readonly status: number;

  constructor(status: number, code: RequestCode | ReportedCode, message: string, details: Details = {}) {
    super(message, details);
    this.status = status;
    this.code = code;
  }
}

/** Never includes a stack, or a message of an error that is not ours. */
export function problemOf(error: unknown): Problem {
  if (hasZodFastifySchemaValidationErrors(error)) {
    return problem(400, 'invalid-request', {
      title: 'Cannot read the request: it does not match the schema',
      details: {
        why: error.validation.map(({ instancePath, message }) =>
          `${error.validationContext ?? 'request'}${instancePath}: ${message ?? 'not valid'}`.slice(0, 500),
        ),
        next: ['see /docs for the schema of each request'],
      },
    });
  }
  if (error instanceof RequestRefusedError)
    return problem(error.status, error.code, { title: error.message, details: error });
  if (error instanceof UsageError) return problem(400, error.code, { title: error.message, details: error });
  if (error instanceof UnavailableError)
    return problem(503, error.code, { title: error.message, details: error });
  const status = statusOfFastify(error);
  if (status !== null)
    return problem(status, `http-${status}`, {
      title: FASTIFY_MESSAGES[status] ?? 'Cannot accept this request',
    });
  return problem(500, 'internal', {
    title: 'Cannot do this: internal error in Signalbox',
    details: {
      why: ['the reason is in .signalbox/log.jsonl'],
      next: ['try again', 'signalbox doctor'],
    },
  });
}

const FASTIFY_MESSAGES: Readonly<Record<number, string>> = {
  400: 'Cannot read the request: its body is not valid JSON, or has a key `__proto__`',
  403: 'Cannot serve this: the path is outside the served files',
  413: 'Cannot accept this request: it is larger than 11 MiB',
  415: 'Cannot read the request: its body must be application/json',
};

function statusOfFastify(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}

function problem(
  status: number,
  code: string,
  { title, details = {} }: Readonly<{ title: string; details?: Details }>,
): Problem {
  return {
    type: `urn:signalbox:problem:${code}`,
    title,
    status,
    code,
    why: details.why ?? [],
    next: details.next ?? [],
  };
}
