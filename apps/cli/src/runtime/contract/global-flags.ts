/** Flags of section "Global behaviour": they mean the same with every subcommand. */
export type GlobalFlags = Readonly<{
  /** As given with `-C`; relative to where we were started. */
  directory?: string;
  json: boolean;
  quiet: boolean;
  /** 0, 1 (`-v`) or 2 (`-vv`). */
  verbose: number;
  color: 'auto' | 'always' | 'never';
  ascii: boolean;
  /** Whether a person may be asked; false with `--no-input`. */
  input: boolean;
  /** Address of a server elsewhere; of those subcommands that take it. */
  server?: string;
  /** Where its access token stands; default: `SIGNALBOX_TOKEN`. */
  tokenFile?: string;
}>;

/** What can be said of them before the command line is parsed, or when it can't be. */
export function guessGlobalFlags(argv: readonly string[]): GlobalFlags {
  const end = argv.indexOf('--');
  const head = new Set(end < 0 ? argv : argv.slice(0, end));
  return {
    json: head.has('--json'),
    quiet: head.has('-q') || head.has('--quiet'),
    verbose: head.has('-vv') ? 2 : Number(head.has('-v')),
    color: head.has('--color=never') ? 'never' : head.has('--color=always') ? 'always' : 'auto',
    ascii: head.has('--ascii'),
    input: !head.has('--no-input'),
  };
}
