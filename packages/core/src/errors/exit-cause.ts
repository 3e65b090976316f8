import type { ErrorCategory } from './error-category.ts';

/** Why a program failed, as far as its exit code and its standard error tell. */
type ExitCause = {
  readonly category: ErrorCategory;
  /** What to do next, one sentence; absent: the output has to be read. */
  readonly suggestion?: string;
};

/** Codes of a shell that decide by themselves (POSIX.1-2017, XCU 2.8.2). */
const BY_CODE: ReadonlyMap<number, ExitCause> = new Map([
  [126, { category: 'PolicyBlocked' }],
  [127, { category: 'PermanentFailure' }],
]);

/** The last line of standard error that matches one of them decides; of one line, the first that matches. */
const BY_STDERR: readonly (ExitCause & { readonly pattern: RegExp })[] = [
  {
    pattern: /rate limit|too many requests|\b429\b/i,
    category: 'RateLimited',
    suggestion: 'A server limits the rate of requests: wait before you run it again',
  },
  {
    pattern:
      /could not resolve|\bEAI_AGAIN\b|\bENOTFOUND\b|name resolution|name or service not known|network is unreachable|\bE(?:NET|HOST)UNREACH\b|no route to host|connection (?:refused|reset|timed out)|\bECONN(?:REFUSED|RESET|ABORTED)\b|\bETIMEDOUT\b|failed to connect|could not connect|tls handshake/i,
    category: 'NetworkError',
    suggestion: 'It could not reach a server: try again a little later',
  },
  {
    pattern: /\b50[0234]\b.{0,20}(?:server error|bad gateway|unavailable|gateway time)|service unavailable/i,
    category: 'ServerError',
    suggestion: 'A server failed: try again a little later',
  },
  {
    pattern: /\.lock['"]?: File exists|\bdatabase is locked\b|another \S{1,40} process seems to be running/i,
    category: 'ServerError',
    suggestion: 'Another process holds a lock: try again a little later',
  },
  {
    pattern: /no space left on device|\bENOSPC\b|disk quota exceeded|\bEDQUOT\b/i,
    category: 'PermanentFailure',
    suggestion: 'The disk is full: write less, or tell the user to free space',
  },
  {
    pattern: /out of memory|cannot allocate memory|\bENOMEM\b|\bMemoryError\b|\bbad_alloc\b/i,
    category: 'PermanentFailure',
    suggestion: 'It ran out of memory: do less at once, such as with fewer workers',
  },
  {
    pattern:
      /permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|read-only file system|\bEROFS\b/i,
    category: 'PermanentFailure',
    suggestion: 'It may not access that file: use another path, or ask the user',
  },
  {
    pattern: /no such file or directory|\bENOENT\b/i,
    category: 'PermanentFailure',
    suggestion: 'A file that it names does not exist: list its directory first',
  },
  {
    pattern: /^(?:\/bin\/)?bash: .{0,40}(?:syntax error|unexpected EOF)/,
    category: 'InvalidParameters',
    suggestion: 'The shell could not parse the line: correct its quotes and operators',
  },
  {
    pattern:
      /(?:unknown|unrecognized|unrecognised|invalid|illegal) (?:command-line )?(?:option|argument|flag)\b|unexpected argument/i,
    category: 'InvalidParameters',
    suggestion: 'It does not know one of its options: read its --help',
  },
  {
    pattern: /\btimed out\b|\btime-?out\b.{0,20}\bexceeded\b|deadline exceeded/i,
    category: 'Timeout',
    suggestion: 'It gave up waiting: try again with less work at once, or with a longer timeout of its own',
  },
];

/** Of standard error: programs say last why they end. */
const LAST_LINES = 40;
/** Characters of a line. */
const LONGEST_LINE = 2000;

/**
 * The cause of a program's failure: its exit code first, then the end of its standard error (V2, S001-99, X-20). Without
 * a known sign the failure is permanent.
 */
export function causeOfExit(exitCode: number, stderr: string): ExitCause {
  const byCode = BY_CODE.get(exitCode);
  if (byCode !== undefined) return byCode;
  const tail = stderr.slice(-LAST_LINES * LONGEST_LINE).trimEnd();
  for (const line of tail.split('\n').slice(-LAST_LINES).toReversed()) {
    const found = BY_STDERR.find(({ pattern }) => pattern.test(line.slice(0, LONGEST_LINE)));
    if (found === undefined) continue;
    const { pattern: _, ...cause } = found;
    return cause;
  }
  return { category: 'PermanentFailure' };
}
