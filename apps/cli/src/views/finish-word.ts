/** How a session ended, for people. */
const WORDS: Readonly<Record<string, string>> = {
  finished: 'Finished',
  max_iterations: 'Out of turns',
  cancelled: 'Stopped',
  failed: 'Failed',
  refused: 'Refused',
  budget: 'Over budget',
};

export function finishWord(finish: string): string {
  return WORDS[finish] ?? finish;
}
