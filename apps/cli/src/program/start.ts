import { mainHelp, subcommandHelp } from '../commands/table/help-text.ts';
import { guessGlobalFlags } from '../runtime/contract/global-flags.ts';
import { VERSION } from '../runtime/contract/version.ts';
import { parseCommandLine } from './parse-command-line.ts';

/** The process, as passed by `main.ts`. */
export type HostProcess = NodeJS.Process;

/**
 * Runs one command line to its end and returns the exit code. Loads only the parser and the table until the subcommand
 * is known.
 */
export async function start(host: HostProcess): Promise<number> {
  const argv = host.argv.slice(2);
  const line = parseCommandLine(argv);
  switch (line.kind) {
    case 'help': {
      const { showHelp } = await import('./show-help.ts');
      await showHelp(line.row === null ? mainHelp() : subcommandHelp(line.row), host, guessGlobalFlags(argv));
      return 0;
    }
    case 'version':
      host.stdout.write(`${VERSION}\n`);
      return 0;
    case 'mistake': {
      const { reportMistake } = await import('./show-error.ts');
      return reportMistake(host, guessGlobalFlags(argv), line);
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
