import type { RedactionPattern } from './redaction-stage.ts';

/** Shorter ones are words: `ollama` as the key of a local server must not make the word unreadable. */
const SHORTEST_SECRET = 8;

/** Finds known secret values in every usual spelling. */
type KnownSecrets = {
  readonly pattern: RedactionPattern;
  /** Length of the longest spelling, in UTF-16 units. */
  readonly longest: number;
};

/**
 * @param secrets Each line of a multi-line secret counts by itself; lines under 8 characters are ignored.
 * @returns null when nothing is left to look for
 */
export function toKnownSecrets(secrets: readonly string[]): KnownSecrets | null {
  const lines = secrets.flatMap((secret) => secret.split(/[\r\n]/)).map((line) => line.trim());
  const written = lines.filter((line) => line.length >= SHORTEST_SECRET).flatMap(spellings);
  // A secret that begins with another one is removed whole.
  const longestFirst = written.toSorted((a, b) => b.length - a.length);
  const [longest] = longestFirst;
  if (longest === undefined) return null;
  const start = new RegExp([...new Set(longestFirst)].map(escape).join('|'), 'g');
  return { pattern: { name: 'secret', start, rest: /(?:)/y }, longest: longest.length };
}

/** Spellings of a secret in text, in JSON and URLs, in hex, and in base64 at any offset. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const everyByte = hex.replaceAll(/../g, '%$&');
  const encoded = encodeURIComponent(secret.toWellFormed());
  const inBase64 = [0, 1, 2].map((before) => base64After(before, bytes));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replaceAll(/%../g, (code) => code.toLowerCase()),
    everyByte,
    everyByte.toUpperCase(),
    hex,
    hex.toUpperCase(),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Only the characters that do not depend on the surrounding bytes. */
function base64After(bytesBefore: number, bytes: Buffer): string {
  const text = Buffer.concat([Buffer.alloc(bytesBefore), bytes]).toString('base64');
  const start = Math.ceil((bytesBefore * 8) / 6);
  return text.slice(start, Math.floor(((bytesBefore + bytes.length) * 8) / 6));
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
