import type { Span } from '@signalbox/core';
import { isSecret, mayMatchSecret } from './places.ts';
import type { Scene } from './program.ts';
import { textOf, textsOf, type Word } from './word.ts';

/** Whether a command names a secret, which a later one of its pipeline may open: `git ls-files .env | xargs cat`. */
export function namesSecret(words: readonly Word[]): boolean {
  const pattern = patternOfSearch(words);
  return words.some((word) => word !== pattern && mayNameSecret(word));
}

/** For programs that take the names of files from their input. */
export function judgeNamesFromInput(scene: Scene, span: Span): void {
  if (scene.state.stdin.namesSecret === true)
    scene.report.raise('dangerous', 'reads-secret', 'hands secrets that were named to a program', span);
}

function mayNameSecret(word: Word): boolean {
  if (word.kind === 'glob') return mayMatchSecret(word.pattern);
  return (textsOf(word) ?? []).some((text) => isSecret(nameIn(text)));
}

/** `--glob=.env`, `HEAD:.env`, `'^\.env$'`, `'.env*'`: the name in it; that of another option (`--exclude=.env`) is none. */
function nameIn(text: string): string {
  const value = text.replace(/^(?:--(?:i?glob|include)=|-g)/, '');
  return value.startsWith('-') ? '' : value.slice(value.lastIndexOf(':') + 1).replace(/[\\^$]|\*+$/g, '');
}

/** `grep -rl credentials src`, `grep -v .env`: what these look for is no name of what they print. */
function patternOfSearch(words: readonly Word[]): Word | undefined {
  const texts = words.map((word) => textOf(word) ?? '');
  const at = texts.findIndex((text) => /^(?:(?:[efz]|rip)?grep|rg|ag)$/.test(text));
  if (at < 0 || !texts.some((text) => /^-[a-zA-Z]*[lLv]|^--(?:files-with|invert)/.test(text)))
    return undefined;
  return words.find(
    (_word, place) =>
      place > at &&
      !String(texts[place]).startsWith('-') &&
      !/^(?:-g|--i?glob)$/.test(String(texts[place - 1])),
  );
}
