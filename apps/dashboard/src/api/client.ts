import { type ApiAnswer, createClient, type Problem, ProblemError, problemOf } from '@signalbox/api';
import { SignalboxError, UnavailableError } from '@signalbox/core';

/** Why a request failed: from the server, or with status 0 if there was no response. */
export type ApiRefusal = Omit<Problem, 'type'>;

let reportSignedOut: (refusal: ApiRefusal) => void = () => undefined;

/** Calls back for each response that says that this browser is signed out: its token was revoked, or has expired. */
export function onShutOut(tell: (refusal: ApiRefusal) => void): void {
  reportSignedOut = tell;
}

/** Sends requests to the server of this page. The browser adds the sign-in cookie. */
export const client = createClient(async ({ method, path, body, signal = null }) => {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, {
    method,
    signal,
    credentials: 'same-origin',
    ...(body === undefined ? {} : json),
  }).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  const answer: ApiAnswer = { status: response.status, body: await response.json().catch(() => null) };
  if (answer.status === 401) reportSignedOut(problemOf(answer));
  return answer;
});

function unreachable(cause: unknown): UnavailableError {
  return new UnavailableError('unreachable', 'Cannot reach Signalbox', {
    why: ['no response'],
    next: ['check whether `signalbox serve` or `signalbox run` is still running'],
    cause,
  });
}

/** The same for any thrown value. */
export function refusalFrom(error: unknown): ApiRefusal {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof SignalboxError) {
    const { code, message, why, next } = error;
    return { status: 0, code, title: message, why, next };
  }
  const title = error instanceof Error ? error.message : 'The request failed for an unknown reason';
  return { status: 0, code: 'unknown', title, why: [], next: [] };
}
