/** What a vendor's error says, in words that both vendors share. */
export type ErrorFacts = {
  readonly message: string;
  /** How the connection failed, for errors without an answer of the server. */
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
/** Node's `ECONNRESET`, `EPIPE`, `ENOTFOUND` …, and those of its fetch. */
const NETWORK_CODES = /\((E[A-Z_]+|UND_ERR_\w+)\)/;

/** What an error says that is not a vendor's: of the network, or of a parser. */
export function plainErrorFacts(error: unknown): ErrorFacts {
  const chain = errorChain(error);
  const all = chain.join(': ');
  if (TIMEOUT_CODES.test(all)) return { message: all, connection: 'timeout' };
  // A parser's message quotes what the server sent, so words alone decide nothing.
  const broken = error instanceof TypeError && /^(terminated|fetch failed)$/.test(error.message);
  if (broken || NETWORK_CODES.test(all)) return { message: all, connection: 'failed' };
  return { message: chain[0] ?? 'unknown error' };
}

/** Messages and codes of an error and of what caused it, at most four deep. */
function errorChain(error: unknown): string[] {
  const words: string[] = [];
  for (let part = error, depth = 0; part instanceof Error && depth < 4; part = part.cause, depth++) {
    const code = (part as { code?: unknown }).code;
    words.push(typeof code === 'string' ? `${part.message} (${code})` : part.message);
  }
  return words.length === 0 ? [String(error)] : words;
}
