import * as z from 'zod';

/** Text, or base64 if not UTF-8. */
const Data = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);

/** The messages of `rg --json` we use; others are ignored. */
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
  /** Whether ripgrep ran to its end; otherwise the results are incomplete. */
  readonly complete: boolean;
};

/** Parses the output of `rg --json`. Lines that aren't JSON, such as one cut in the middle, are skipped. */
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
    // A name that isn't UTF-8 can't be passed to any tool.
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
