import type { PrintingProgram } from '@signalbox/core';

/** Programs that print what they were asked for: a model reads it as it is. */
const READERS = new Set(
  `cat head tail less more bat nl tac sed awk gawk perl grep egrep fgrep zgrep rg ag ack jq yq cut sort uniq tr wc
  diff cmp comm paste join column fold fmt xxd hexdump od base64 strings ls find fd tree stat file du df echo printf
  printenv env date sqlite3 psql redis-cli curl`.split(/\s+/),
);
const GIT_READERS = new Set(['blame', 'cat-file', 'grep', 'ls-files', 'ls-tree', 'rev-parse', 'config']);
/** Behind a pipe they let lines through: `npm test | tail -50`. */
const TRANSPARENT = new Set(['cat', 'tee', 'head', 'tail']);

export function isReader(program: PrintingProgram): boolean {
  const [name, verb] = program.at(-1) ?? [];
  if (name === undefined || name === null) return false;
  return READERS.has(name) || (name === 'git' && typeof verb === 'string' && GIT_READERS.has(verb));
}

/** The program whose lines leave a pipe. */
export function printerOf(pipe: readonly PrintingProgram[]): PrintingProgram | undefined {
  return pipe.findLast((program, at) => at === 0 || !TRANSPARENT.has(program.at(-1)?.[0] ?? ''));
}

/** Whether a pipe prints text of files: also differences, and every other program of git. */
export function showsContent(pipe: readonly PrintingProgram[]): boolean {
  const program = printerOf(pipe);
  if (program === undefined) return false;
  const name = program.at(-1)?.[0];
  return name === undefined || name === null || name === 'git' || isReader(program);
}
