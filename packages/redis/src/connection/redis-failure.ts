import { errorText, InvariantError, type SignalboxError, UnavailableError } from '@signalbox/core';

/** Message of the client library. */
const TIMED_OUT = 'Command timed out';

/** First words of the replies by which Redis says that it can't serve now. It has done nothing then. */
const REFUSALS: Readonly<Record<string, string>> = {
  BUSY: 'another script runs for too long',
  CLUSTERDOWN: 'the cluster is down',
  DENIED: 'without a password it accepts no other machine (protected-mode)',
  FORMAT: 'another version of Signalbox has taken it over',
  LOADING: 'Redis is still loading its data',
  MASTERDOWN: 'the link to the master is down',
  MISCONF: 'Redis cannot write to its disk',
  NOAUTH: 'it requires a password',
  NOPERM: 'this user lacks the permission',
  NOREPLICAS: 'too few replicas are connected',
  OOM: 'its memory is full',
  READONLY: 'it is a read-only replica',
  WRONGPASS: 'user or password is wrong',
};

const TOO_MANY = /^ERR max number of clients/;

/** Refusals that start with a plain ERR, recognised by their text. */
const PLAIN_REFUSALS: readonly (readonly [says: RegExp, reason: string])[] = [
  [TOO_MANY, 'it has reached its limit of connections (maxclients)'],
  [/^ERR unknown command|Unknown Redis command/i, 'it lacks a required command (rename-command)'],
  [/^ERR The user executing the script can't/, 'this user lacks the permission'],
];

/** Next steps for some of the reasons; for the others see the server's log. */
const ADVICE: readonly (readonly [reason: RegExp, advice: string])[] = [
  [/password/, 'Give user and password in its address: redis://USER:PASSWORD@HOST:6379'],
  [/lacks the permission|lacks a required command/, 'Allow the commands that docs/redis.md lists'],
  [/memory is full/, 'Raise its limit: redis-cli CONFIG SET maxmemory …'],
  [/maxclients/, 'Raise its limit: redis-cli CONFIG SET maxclients …'],
];

/** Refusals that also apply to reads. */
const REFUSES_ALL: ReadonlySet<string | undefined> = new Set([
  'BUSY',
  'CLUSTERDOWN',
  'DENIED',
  'FORMAT',
  'LOADING',
  'MASTERDOWN',
  'NOAUTH',
  'WRONGPASS',
]);

/** Whether this error means that the Redis can't even be read. */
export function answersNothing({ code, why }: UnavailableError): boolean {
  const [answer = ''] = why;
  return code === 'redis-gone' || REFUSES_ALL.has(answer.split(' ', 1)[0]) || TOO_MANY.test(answer);
}

/** Why Redis can't be used, without its address, for readers who may not know the address. */
export function absenceInWords({ code }: UnavailableError): string {
  return code === 'redis-gone' ? 'Redis does not answer' : 'Redis cannot answer at the moment';
}

/** What a failed command means for the caller: try later, or a bug. */
export function toSignalboxError(error: unknown, where: string): SignalboxError {
  const text = errorText(error);
  const reason = reasonIn(text);
  if (reason !== undefined)
    return new UnavailableError('redis-refused', `Redis at ${where} rejected the request: ${reason}`, {
      cause: error,
      why: [text],
      next: [
        ADVICE.find(([known]) => known.test(reason))?.[1] ??
          'Check the log of the Redis server, then try again',
      ],
    });
  if (error instanceof Error && error.name === 'ReplyError')
    return new InvariantError(`Redis at ${where} did not understand a command: ${text}`, { cause: error });
  return new UnavailableError('redis-gone', `Cannot reach Redis at ${where}`, {
    cause: error,
    why: [inOurWords(text)],
    next: [
      'Check that the server runs: redis-cli -u URL ping',
      'Running Signalbox processes reconnect by themselves once it is back',
    ],
  });
}

/** Undefined if it is not a refusal. */
function reasonIn(answer: string): string | undefined {
  return REFUSALS[answer.split(' ', 1)[0] ?? ''] ?? PLAIN_REFUSALS.find(([says]) => says.test(answer))?.[1];
}

/** Whether Redis itself replied that it can't serve. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && reasonIn(error.message) !== undefined;
}

/** Whether a command was sent and not answered in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === TIMED_OUT;
}

/** Translates the client library's message for a missing connection. */
function inOurWords(text: string): string {
  if (text.startsWith("Stream isn't writeable") || text === 'Connection is closed.')
    return 'there is no connection to it now';
  if (text.startsWith('Reached the max retries')) return 'the connection ended before it answered';
  return text === TIMED_OUT ? 'it accepts commands but does not answer' : text;
}

/** The address in quotes, without user, password and parameters. */
export function addressOf(url: string): string {
  return `"${url.replace(/\/\/[^@/]*@/, '//').replace(/\?[^]*/, '')}"`;
}
