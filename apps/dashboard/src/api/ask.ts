/** The server refused, or could not be asked. */
export type Refusal = Readonly<{
  /** 0 when there was no answer at all. */
  status: number;
  code: string;
  title: string;
  why: readonly string[];
  next: readonly string[];
}>;

/** What a request that did not succeed is thrown as. */
class AskError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.title, options);
    this.name = 'AskError';
    this.refusal = refusal;
  }
}

let tellShutOut: (refusal: Refusal) => void = () => undefined;

/** Hears of each answer that says that this browser is let in no more: its token was revoked, or has expired. */
export function onShutOut(tell: (refusal: Refusal) => void): void {
  tellShutOut = tell;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Asks the server that this page came from. The cookie that lets us in is the browser's to send.
 *
 * @throws {AskError} for every answer that is no success, and when there is none.
 */
export async function ask<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new AskError(unreachable, { cause });
  });
  if (!response.ok) {
    const refusal = await refusalOf(response);
    if (refusal.status === 401) tellShutOut(refusal);
    throw new AskError(refusal);
  }
  return (await response.json()) as Answer;
}

const unreachable: Refusal = {
  status: 0,
  code: 'unreachable',
  title: 'Cannot reach Signalbox',
  why: ['no answer came'],
  next: ['see whether `signalbox serve` or `signalbox run` still runs'],
};

async function refusalOf(response: Response): Promise<Refusal> {
  const { status } = response;
  const problem = (await response.json().catch(() => ({}))) as Partial<Refusal>;
  return {
    status,
    code: problem.code ?? 'unknown',
    title: problem.title ?? `Cannot do that: the server answered ${status}`,
    why: problem.why ?? [],
    next: problem.next ?? [],
  };
}

/** The same for whatever was thrown. */
export function refusalFrom(error: unknown): Refusal {
  if (error instanceof AskError) return error.refusal;
  const title = error instanceof Error ? error.message : 'Cannot do that, for an unknown reason';
  return { status: 0, code: 'unknown', title, why: [], next: [] };
}
