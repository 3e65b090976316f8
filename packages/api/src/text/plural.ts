/** `1 line`, `3 lines` */
export function plural(amount: number, noun: string, nouns = `${noun}s`): string {
  return `${amount} ${amount === 1 ? noun : nouns}`;
}
