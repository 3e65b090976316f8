/** Bytes of UTF-8 per token: English prose and code have 3 to 5 in the tokenizers of the common models. */
const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();

/** Tokens of a text by its length in bytes, rounded up. Loads no tokenizer: those differ by model and take megabytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / BYTES_PER_TOKEN);
}
