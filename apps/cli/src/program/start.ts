import { mainHelp, subcommandHelp } from '../commands/table/help-text.ts';
import { guessGlobalFlags } from '../runtime/contract/global-flags.ts';
import { VERSION } from '../runtime/contract/version.ts';
import { parseCommandLine } from './parse-command-line.ts';

/** What `main.ts` hands over of the process. */
export type HostProcess = NodeJS.Process;

/**
 * Runs one command line to its end and answers the exit code. Loads nothing but the parser and the table
 * until it knows what is asked.
 */
export async function start(host: HostProcess): Promise<number> {
  const argv = host.argv.slice(2);
  const line = parseCommandLine(argv);
  switch (line.kind) {
    case 'help': {
      const { tellHelp } = await import('./tell-help.ts');
      await tellHelp(line.row === null ? mainHelp() : subcommandHelp(line.row), host, guessGlobalFlags(argv));
      return 0;
    }
    case 'version':
      host.stdout.write(`${VERSION}\n`);
      return 0;
    case 'mistake': {
      const { tellMistake } = await import('./tell-error.ts');
      return tellMistake(host, guessGlobalFlags(argv), line);
    }
    case 'bare':
    case 'run': {
      const { runSubcommand } = await import('./run-subcommand.ts');
      return line.kind === 'run'
        ? runSubcommand(host, line)
        : runSubcommand(host, { row: { name: 'status' }, given: { bare: true }, flags: line.flags });
    }
  }
}
