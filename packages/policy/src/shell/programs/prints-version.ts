import { textOf, type Word } from '../word.ts';

const ASKS = /^(?:-version|-vV|-v|-V|--info|--list-sdks|--list-runtimes|-showversion|-list|-showsdks)$/;

/** `gcc --version --verbose`, `java -version`, `xcodebuild -list`: a compiler prints its own properties, and exits. */
export function printsVersion(words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '');
  if (texts.length === 1 && ASKS.test(String(texts[0]))) return true;
  return texts.length > 0 && texts.every((text) => /^--(?:version|verbose)$/.test(text));
}
