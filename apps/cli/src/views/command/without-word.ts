/** The message behind `word: `. Some begin with it: `Blocked: pipes a download straight into a shell`. */
export function withoutWord(word: string, message: string): string {
  const prefix = `${word}: `;
  return message.toLowerCase().startsWith(prefix) ? message.slice(prefix.length) : message;
}
