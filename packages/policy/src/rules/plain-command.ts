import { commandsOf } from './line-commands.ts';

/** Program and words of a line that is only one plain command, all of them known; otherwise undefined. */
export function plainCommandOf(line: string): readonly [program: string, ...args: string[]] | undefined {
  const read = commandsOf(line);
  if (read?.isPlain !== true || read.commands.length !== 1) return undefined;
  const [program, ...args] = read.commands.flatMap((command) => [command.program, ...command.args]);
  if (typeof program !== 'string' || program === '' || args.includes(null)) return undefined;
  return [program, ...args.filter((word) => word !== null)];
}
