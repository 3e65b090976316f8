import { readFileSync } from 'node:fs';
import * as z from 'zod';

const Texts = z.array(z.string()).readonly();
const Corpus = z.object({
  payloads: Texts,
  ways: Texts,
  usualPlaces: Texts,
  places: Texts,
  optionPayloads: Texts,
  optionWays: z.array(z.object({ line: z.string(), word: z.string() })).readonly(),
  optionPlaces: Texts,
});

/**
 * Ways to bring a value into the variable `k`, and to evaluate it (`E`). `P` is the payload in single quotes, `Q`
 * without them; `data.txt` contains only the payload, as repository data may. Places are where bash evaluates `k` or
 * another text, and some that only look like it.
 */
const { payloads, ways, usualPlaces, places, optionPayloads, optionWays, optionPlaces } = Corpus.parse(
  JSON.parse(readFileSync(new URL('../../../corpus/evaluating.json', import.meta.url), 'utf8')),
);

const PLAIN = 'k=P; E';
const FROM_DATA = 'while read -r k; do E; done < data.txt';

/** A line, and the content of `data.txt` where it runs. */
export type LineEvaluation = Readonly<{ line: string; payload: string }>;

/** Every place with every payload and with data of the repository, and every way to bring it to the usual places. */
export const EVALUATING_LINES: readonly LineEvaluation[] = [
  ...places.flatMap((place) => payloads.map((payload) => joined(PLAIN, place, { payload }))),
  ...places.map((place) => joined(FROM_DATA, place, { payload: payloads[0] })),
  ...usualPlaces.flatMap((place) => ways.map((way) => joined(way, place, { payload: payloads[0] }))),
];

/** Lines in which data of the repository, or the name of a file, becomes words of a command (at `W`). */
export const OPTION_LINES: readonly string[] = optionPlaces.flatMap((place) =>
  optionWays.map(({ line, word }) => line.replace('C', () => place.replace('W', () => word))),
);

/** Payloads: an option that writes or runs something, or more operands than one. */
export const OPTION_PAYLOADS = optionPayloads;

function joined(
  way: string,
  place: string,
  { payload = '' }: Readonly<{ payload?: string | undefined }> = {},
): LineEvaluation {
  const parts: Readonly<Record<string, string>> = { E: place, P: `'${payload}'`, Q: payload };
  return { line: way.replaceAll(/(?<!@)\b[EPQ]\b/g, (part) => String(parts[part])), payload };
}
