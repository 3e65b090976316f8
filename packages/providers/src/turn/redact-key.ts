/**
 * Shorter keys aren't secrets, and replacing them would cut words out of messages: local servers accept
 * `ollama` or `none`.
 */
const SHORTEST_SECRET = 8;

/** Redacts the key, and anything that looks like one, in text from a server. */
export function redactKey(text: string, apiKey: string): string {
  const known = apiKey.length < SHORTEST_SECRET ? text : text.replaceAll(apiKey, '[redacted]');
  return known
    .replaceAll(/\bsk-[\w*.-]{6,}/g, '[redacted]')
    .replaceAll(/\bBearer\s+[\w.~+/-]+=*/gi, 'Bearer [redacted]');
}
