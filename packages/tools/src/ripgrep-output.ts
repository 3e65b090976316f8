import * as z from 'zod';

/** Text, or base 64 where it is not UTF-8. */
const Data = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);

/** The messages of `rg --json` that we use; others pass unseen. */
const Message = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['match', 'context']),
    data: z.object({ path: Data, lines: Data, line_number: z.int().nullable() }),
  }),
  z.object({ type: z.literal('summary') }),
]);

export type FoundLine = {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
};

export type RipgrepMatches = {
  readonly lines: readonly FoundLine[];
  /** Ripgrep came to its end; without it nothing is known of what it did not print. */
  readonly complete: boolean;
};

/** What `rg --json` printed. Lines that are no JSON, as where output was cut in the middle, are passed over. */
export function parseRipgrep(stdout: string): RipgrepMatches {
  const lines: FoundLine[] = [];
  let complete = false;
  for (const line of stdout.split('\n')) {
    const message = Message.safeParse(parseJson(line)).data;
    if (message === undefined) continue;
    if (message.type === 'summary') {
      complete = true;
      continue;
    }
    const { path, lines: text, line_number: number } = message.data;
    // A name that is not UTF-8 can't be given to any tool.
    if (!('text' in path) || number === null) continue;
    lines.push({
      path: path.text,
      line: number,
      text: 'text' in text ? text.text.replace(/\r?\n$/, '') : '[not UTF-8]',
      isMatch: message.type === 'match',
    });
  }
  return { lines, complete };
}

function parseJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
