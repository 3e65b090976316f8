import type { Json } from '../json.ts';
import { createRedactionStage, type RedactionStream } from './redaction-stage.ts';
import { createUnhiding, hidesNothing } from './unhide.ts';
import { LONGEST_START, SECURITY_PATTERNS, type SecretPattern } from './security-patterns.ts';

/** Removes secrets from everything that leaves Signalbox: output, logs, events, audit, screens (N2, X-37). */
export type Redactor = {
  redact(text: string): string;
  /** Redacts every text in it, keys too, and the values of keys such as `password`. */
  redactJson(json: Json): Json;
  /** For text that arrives in chunks: shows the same as `redact` would for the whole. */
  stream(): RedactionStream;
};

/** A redactor that learns secrets while it is in use: keys of a session. */
export type GrowingRedactor = Redactor & {
  /** Redacts these from now on, too. Open streams do not know them. */
  add(secrets: readonly string[]): void;
};

/** Length from which on a text takes milliseconds. */
const LONG = 64 * 1024;

/** Shorter ones are words: `ollama` as the key of a local server must not make the word unreadable. */
const SHORTEST_SECRET = 8;

/**
 * @param options.secrets known secret values, such as API keys of the environment: they are removed everywhere. Each
 * line of a multi-line secret counts by itself. Secrets under 8 characters are ignored.
 */
export function createRedactor(options: { readonly secrets: readonly string[] }): GrowingRedactor {
  const secrets = new Set(options.secrets);
  let literals = literalPatterns([...secrets]);
  /** The most recently redacted long text. */
  let last: { readonly text: string; readonly redacted: string } | null = null;

  const stream = (): RedactionStream => chain(createUnhiding(holdsSecret), openStream());

  function openStream(): RedactionStream {
    const patterns = createRedactionStage(SECURITY_PATTERNS);
    if (literals.patterns.length === 0) return patterns;
    // Known secrets go first: a pattern that ends early must not leave half of one.
    const longest = Math.max(LONGEST_START, ...literals.lengths);
    return chain(createRedactionStage(literals.patterns, longest), patterns);
  }

  function holdsSecret(text: string): boolean {
    return wholeOf(openStream(), text) !== text;
  }

  function redact(text: string): string {
    if (text.length < LONG) return redactNow(text);
    // The content of a file goes into a record, the audit log and a log line, one after the other.
    if (last?.text !== text) last = { text, redacted: redactNow(text) };
    return last.redacted;
  }

  function redactNow(text: string): string {
    // The common case: checking each line would take most of the time.
    return wholeOf(hidesNothing(text) ? openStream() : stream(), text);
  }

  function redactJson(json: Json): Json {
    if (typeof json === 'string') return redact(json);
    if (json === null || typeof json !== 'object') return json;
    if (Array.isArray(json)) return json.map(redactJson);
    return Object.fromEntries(
      Object.entries(json).map(([key, value]) => [
        redact(key),
        SECRET_KEY.test(key) && isSecretValue(value) ? '[redacted:field]' : redactJson(value),
      ]),
    );
  }

  return {
    redact,
    redactJson,
    stream,
    add(more) {
      if (more.every((secret) => secrets.has(secret))) return;
      for (const secret of more) secrets.add(secret);
      last = null;
      literals = literalPatterns([...secrets]);
    },
  };
}

function chain(first: RedactionStream, second: RedactionStream): RedactionStream {
  return {
    push: (text) => second.push(first.push(text)),
    end: () => second.push(first.end()) + second.end(),
  };
}

function wholeOf(stream: RedactionStream, text: string): string {
  return stream.push(text) + stream.end();
}

const SECRET_KEY =
  /(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?$/i;

/** The same condition as the pattern `field` has for a quoted value. */
function isSecretValue(value: Json): boolean {
  return typeof value === 'string' && /^[^\s${}<>[\]]{8,}$/.test(value) && /\d/.test(value);
}

function literalPatterns(secrets: readonly string[]): { patterns: SecretPattern[]; lengths: number[] } {
  const lines = secrets.flatMap((secret) => secret.split(/[\r\n]+/)).map((line) => line.trim());
  const written = lines.filter((line) => line.length >= SHORTEST_SECRET).flatMap(spellings);
  const longestFirst = [...new Set(written)].toSorted((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return { patterns: [], lengths: [] };
  const start = new RegExp(longestFirst.map(escape).join('|'), 'g');
  return {
    patterns: [{ name: 'secret', category: 'password', start, rest: /(?:)/y }],
    lengths: longestFirst.map(({ length }) => length),
  };
}

/** Spellings of a secret in text, in JSON and URLs, in hex, and in base64 at any offset. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const everyByte = hex.replaceAll(/../g, '%$&');
  const encoded = percentEncoded(secret);
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

function percentEncoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
