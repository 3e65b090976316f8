/** `1 line`, `3 lines` */
export function plural(
  amount: number,
  noun: string,
  { nouns = `${noun}s` }: Readonly<{ nouns?: string }> = {},
): string {
  return `${amount} ${amount === 1 ? noun : nouns}`;
}
