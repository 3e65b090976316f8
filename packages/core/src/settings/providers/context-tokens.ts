/** Context sizes from the vendors' model pages, by the start of a model's name: the first that matches counts. */
const KNOWN: readonly (readonly [prefix: string, tokens: number])[] = [
  ['gpt-5', 400_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['claude-', 200_000],
  ['deepseek-', 128_000],
  ['gemini-', 1_048_576],
];

/** Tokens that a model's context holds; null if unknown, as for local models: there the server's own setting decides. */
export function contextTokensOf(model: string): number | null {
  // OpenRouter and others write the vendor first: `anthropic/claude-sonnet-5-5`.
  const name = model.slice(model.lastIndexOf('/') + 1);
  return KNOWN.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}
