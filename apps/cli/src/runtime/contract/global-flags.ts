/** Global flags: they mean the same for every subcommand. */
export type GlobalFlags = Readonly<{
  /** As given with `-C`; relative to where the process was started. */
  directory?: string;
  json: boolean;
  quiet: boolean;
  /** 0, 1 (`-v`) or 2 (`-vv`). */
  verbose: number;
  color: 'auto' | 'always' | 'never';
  ascii: boolean;
  /** Whether prompts are allowed; false with `--no-input`. */
  input: boolean;
  /** Address of a server elsewhere; only for subcommands that accept it. */
  server?: string;
  /** File of its access token. Default: `SIGNALBOX_TOKEN`. */
  tokenFile?: string;
}>;

const COLORS = ['never', 'always'] as const;

/** A guess at the global flags, for when the command line is not parsed yet or can't be. */
export function guessGlobalFlags(argv: readonly string[]): GlobalFlags {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const head = new Set(words);
  const color = head.has('--color') ? `--color=${words[words.indexOf('--color') + 1]}` : '';
  return {
    json: head.has('--json'),
    quiet: head.has('-q') || head.has('--quiet'),
    verbose: head.has('-vv') ? 2 : Number(head.has('-v')),
    color: COLORS.find((value) => color === `--color=${value}` || head.has(`--color=${value}`)) ?? 'auto',
    ascii: head.has('--ascii'),
    input: !head.has('--no-input'),
  };
}
