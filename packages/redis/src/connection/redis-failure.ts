import { errorText, InvariantError, type SignalboxError, UnavailableError } from '@signalbox/core';

/** As the client library says it. */
const TIMED_OUT = 'Command timed out';

/** First words of the answers by which Redis says that it can't serve now; it has done nothing then. */
const REFUSALS: Readonly<Record<string, string>> = {
  BUSY: 'another script runs for too long',
  CLUSTERDOWN: 'the cluster is down',
  DENIED: 'without a password it takes nobody from another machine (protected-mode)',
  FORMAT: 'another version of Signalbox has taken it over',
  LOADING: 'Redis is still loading its data',
  MASTERDOWN: 'the link to the master is down',
  MISCONF: 'Redis cannot write to its disk',
  NOAUTH: 'it asks for a password',
  NOPERM: 'this user may not do that',
  NOREPLICAS: 'too few replicas are connected',
  OOM: 'its memory is full',
  READONLY: 'it is a read-only replica',
  WRONGPASS: 'user or password is wrong',
};

const TOO_MANY = /^ERR max number of clients/;

/** Of those that begin with ERR as any other: what they say. */
const PLAIN_REFUSALS: readonly (readonly [says: RegExp, reason: string])[] = [
  [TOO_MANY, 'it has as many connections as it takes (maxclients)'],
  [/^ERR unknown command|Unknown Redis command/i, 'it lacks a command that is needed (rename-command)'],
  [/^ERR The user executing the script can't/, 'this user may not do that'],
];

/** What helps against some of them; against the others the server's log says more. */
const ADVICE: readonly (readonly [reason: RegExp, advice: string])[] = [
  [/password/, 'Give user and password in its address: redis://USER:PASSWORD@HOST:6379'],
  [/this user may not|lacks a command/, 'Allow the commands that docs/redis.md lists'],
  [/memory is full/, 'Give it more: redis-cli CONFIG SET maxmemory …'],
  [/maxclients/, 'Let it take more: redis-cli CONFIG SET maxclients …'],
];

/** Those that refuse to read, too. */
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

/** Whether after this error nothing can be asked of that Redis at all, be it only to read. */
export function answersNothing({ code, why }: UnavailableError): boolean {
  const [answer = ''] = why;
  return code === 'redis-gone' || REFUSES_ALL.has(answer.split(' ', 1)[0]) || TOO_MANY.test(answer);
}

/** Why nothing can be asked of it, without its address: for whoever may not know that. */
export function absenceInWords({ code }: UnavailableError): string {
  return code === 'redis-gone' ? 'Redis does not answer' : 'Redis refuses to answer for now';
}

/** What a failed command means for whoever asked: try later, or a bug of ours. */
export function toSignalboxError(error: unknown, where: string): SignalboxError {
  const text = errorText(error);
  const reason = reasonIn(text);
  if (reason !== undefined)
    return new UnavailableError('redis-refused', `Redis at ${where} refused: ${reason}`, {
      cause: error,
      why: [text],
      next: [
        ADVICE.find(([known]) => known.test(reason))?.[1] ??
          'Look at the log of the Redis server, then try again',
      ],
    });
  if (error instanceof Error && error.name === 'ReplyError')
    return new InvariantError(`Redis at ${where} did not understand a command: ${text}`, { cause: error });
  return new UnavailableError('redis-gone', `Cannot reach Redis at ${where}`, {
    cause: error,
    why: [inOurWords(text)],
    next: [
      'Check that the server runs: redis-cli -u URL ping',
      'Running processes of Signalbox connect again by themselves once it is back',
    ],
  });
}

/** Undefined: it is no refusal. */
function reasonIn(answer: string): string | undefined {
  return REFUSALS[answer.split(' ', 1)[0] ?? ''] ?? PLAIN_REFUSALS.find(([says]) => says.test(answer))?.[1];
}

/** Whether Redis itself has said that it can't serve. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && reasonIn(error.message) !== undefined;
}

/** Whether a command was sent, and not answered in its time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === TIMED_OUT;
}

/** What the client library says of a connection that it has not. */
function inOurWords(text: string): string {
  if (text.startsWith("Stream isn't writeable") || text === 'Connection is closed.')
    return 'there is no connection to it now';
  if (text.startsWith('Reached the max retries')) return 'the connection ended before it answered';
  return text === TIMED_OUT ? 'it takes commands and answers none' : text;
}

/** The address without user, password and parameters, in quotes. */
export function addressOf(url: string): string {
  return `"${url.replace(/\/\/[^@/]*@/, '//').replace(/\?[^]*/, '')}"`;
}
