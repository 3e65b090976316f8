import type { Scene } from '../program.ts';
import type { Word } from '../word.ts';

/** What follows a wrapper is judged as a command of its own. */
export function runRest(words: readonly Word[], scene: Scene): void {
  if (words.length > 0) scene.walk.runWords(words, scene);
}

/** `pnpm exec node x.js`: what a program that gets packages is told to start is a program of its own, and no getter. */
export function startedBy(scene: Scene): Scene {
  return { ...scene, report: scene.report.started ?? scene.report };
}
