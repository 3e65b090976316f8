/** Shorter ones are no secrets, and would cut words out of messages: local servers take `ollama` or `none`. */
const SHORTEST_SECRET = 8;

/** Takes the key, and whatever looks like one, out of text that came from a server. */
export function redactKey(text: string, apiKey: string): string {
  const known = apiKey.length < SHORTEST_SECRET ? text : text.replaceAll(apiKey, '[redacted]');
  return known
    .replaceAll(/\bsk-[\w*.-]{6,}/g, '[redacted]')
    .replaceAll(/\bBearer\s+[\w.~+/-]+=*/gi, 'Bearer [redacted]');
}
