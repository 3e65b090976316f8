import { NETWORK, type Scene } from '../program.ts';
import { beginningOf, type Word } from '../word.ts';

/** Readers that take a URL where a file could stand. */
export function fetches(words: readonly (Word | undefined)[], scene: Scene): void {
  for (const word of words) {
    if (word === undefined || !/^(?:https?|ftp|s3):/i.test(beginningOf(word))) continue;
    scene.report.raise('warning', 'network', 'fetches what it reads', word.span);
    scene.report.effect(NETWORK);
  }
}
