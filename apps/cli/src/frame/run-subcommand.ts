import type { CommandLine } from './parse-command-line.ts';
import { createContext } from './create-context.ts';
import { doors } from './doors.ts';
import { endAtFault } from './end-at-fault.ts';
import { loadSubcommand } from './load-subcommand.ts';
import { tellError } from './tell-error.ts';

type Host = NodeJS.Process;
type Request = Pick<Extract<CommandLine, { kind: 'run' }>, 'given' | 'flags'> &
  Readonly<{ row: { name: string } }>;

/** Runs a subcommand in the real world; whatever it throws is told in one shape. */
export async function runSubcommand(host: Host, { row, given, flags }: Request): Promise<number> {
  endAtFault(host, flags);
  try {
    const subcommand = await loadSubcommand(row.name);
    return await subcommand.run(given, createContext(host, flags, doors));
  } catch (error) {
    return tellError(host, flags, error);
  }
}
