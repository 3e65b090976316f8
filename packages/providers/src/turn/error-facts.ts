/** The facts of an SDK error, in terms both vendors share. */
export type ErrorFacts = {
  readonly message: string;
  /** How the connection failed. Set only when the server sent no response. */
  readonly connection?: 'timeout' | 'failed';
  readonly status?: number | undefined;
  /** `rate_limit_error`, `overloaded_error`, `server_error` … */
  readonly type?: string | undefined;
  /** `insufficient_quota`, `context_length_exceeded` … */
  readonly code?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly requestId?: string | undefined;
};

const TIMEOUT_CODES = /\((UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)\)/;
/** Node's `ECONNRESET`, `EPIPE`, `ENOTFOUND` …, and the codes of its fetch. */
const NETWORK_CODES = /\((E[A-Z_]+|UND_ERR_\w+)\)/;

/** Reads the facts of an error that isn't from an SDK, for example from the network or a parser. */
export function plainErrorFacts(error: unknown): ErrorFacts {
  const chain = errorChain(error);
  const coded = chain
    .map(({ message, code }) => (code === null ? message : `${message} (${code})`))
    .join(': ');
  const all = chain.map(partText).join(': ');
  if (TIMEOUT_CODES.test(coded)) return { message: all, connection: 'timeout' };
  // A parser's message quotes the server's text, so only exact messages and codes count.
  const broken = error instanceof TypeError && /^(terminated|fetch failed)$/.test(error.message);
  if (broken || NETWORK_CODES.test(coded)) return { message: all, connection: 'failed' };
  return { message: chain[0] === undefined ? 'unknown error' : partText(chain[0]) };
}

type Part = Readonly<{ message: string; code: string | null }>;

/** Node's own messages already contain their code: `connect ECONNREFUSED 127.0.0.1:11434`. */
function partText({ message, code }: Part): string {
  const text = message.replace(/\.$/, '');
  return code === null || text.includes(code) ? text : `${text} (${code})`;
}

/** The error and its chain of causes, at most four in total. */
function errorChain(error: unknown): readonly Part[] {
  const parts: Part[] = [];
  for (let part = error, depth = 0; part instanceof Error && depth < 4; part = part.cause, depth++) {
    const code = (part as { code?: unknown }).code;
    parts.push({ message: part.message, code: typeof code === 'string' ? code : null });
  }
  return parts.length === 0 ? [{ message: String(error), code: null }] : parts;
}
