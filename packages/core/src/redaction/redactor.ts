import type { Json } from '../json.ts';
import { toKnownSecrets } from './known-secrets.ts';
import { createRedactionStage, type RedactionStream } from './redaction-stage.ts';
import { createUnhiding, hidesNothing } from './unhide.ts';
import { LONGEST_START, SECURITY_PATTERNS } from './security-patterns.ts';

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
/** Length up to which texts are remembered, and how many. */
const SHORT = 200;
const MAX_SHORT = 1000;

/**
 * @param options.secrets known secret values, such as API keys of the environment: they are removed everywhere. Each
 * line of a multi-line secret counts by itself. Secrets under 8 characters are ignored.
 */
export function createRedactor(options: { readonly secrets: readonly string[] }): GrowingRedactor {
  const secrets = new Set(options.secrets);
  let known = toKnownSecrets([...secrets]);
  /** Short texts recur: names of arguments, paths, titles. */
  const short = new Map<string, string>();
  /** The most recently redacted long text. */
  let last: { readonly text: string; readonly redacted: string } | null = null;

  const stream = (): RedactionStream => chain(createUnhiding(holdsSecret), openStream());

  function openStream(): RedactionStream {
    const patterns = createRedactionStage(SECURITY_PATTERNS);
    if (known === null) return patterns;
    // Known secrets go first: a pattern that ends early must not leave half of one.
    return chain(createRedactionStage([known.pattern], Math.max(LONGEST_START, known.longest)), patterns);
  }

  function holdsSecret(text: string): boolean {
    return wholeOf(openStream(), text) !== text;
  }

  function redact(text: string): string {
    if (text.length <= SHORT) return redactShort(text);
    if (text.length < LONG) return redactNow(text);
    // The content of a file goes into a record, the audit log and a log line, one after the other.
    if (last?.text !== text) last = { text, redacted: redactNow(text) };
    return last.redacted;
  }

  function redactShort(text: string): string {
    const before = short.get(text);
    if (before !== undefined) return before;
    const redacted = redactNow(text);
    if (short.size >= MAX_SHORT) short.clear();
    short.set(text, redacted);
    return redacted;
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
      short.clear();
      known = toKnownSecrets([...secrets]);
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
