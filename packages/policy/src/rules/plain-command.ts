import { commandsOf } from './commands-of.ts';

/** Program and words of a line that is one plain command and nothing else, all of them known; else undefined. */
export function plainCommandOf(line: string): readonly [program: string, ...args: string[]] | undefined {
  const read = commandsOf(line);
  if (read?.isPlain !== true || read.commands.length !== 1) return undefined;
  const [program, ...args] = read.commands.flatMap((command) => [command.program, ...command.args]);
  if (typeof program !== 'string' || program === '' || args.includes(null)) return undefined;
  return [program, ...args.filter((word) => word !== null)];
}
