/** A flag of a subcommand. */
export type Flag = Readonly<{
  /** Without dashes: `until`. */
  name: string;
  short?: string;
  /** What its value is called, such as `LINE`; without, the flag takes none. */
  value?: string;
  /** May be given several times. */
  many?: boolean;
  choices?: readonly string[];
  text: string;
}>;

export type Argument = Readonly<{
  /** In capitals: `ID`. */
  name: string;
  kind: 'required' | 'optional' | 'any-number';
  choices?: readonly string[];
  /**
   * It is the id of a command, and shells offer these: that ask a person, that have not ended, that hold a lease, whose
   * changes are kept and not taken back, whose changes are kept.
   */
  commands?: 'asking' | 'unfinished' | 'holding' | 'undoable' | 'changing' | 'any';
}>;

/**
 * A subcommand as help, completion and docs/cli.md know it: data alone, so that `--help` is fast.
 * `load-subcommand.ts` knows what runs it.
 */
export type SubcommandRow = Readonly<{
  name: string;
  group: 'Start' | 'See' | 'Decide' | 'Rules' | 'Operate';
  /** One line, no full stop. */
  summary: string;
  /** A few words, where two subcommands share a line of the help. */
  brief: string;
  args?: readonly Argument[];
  /** What follows `--` is one shell line. */
  takesLine?: boolean;
  flags?: readonly Flag[];
  /** Paragraphs below the usage. */
  about?: readonly string[];
  examples: readonly string[];
  exitCodes: readonly (readonly [code: number | string, meaning: string])[];
  /** What `--json` prints. */
  json: string;
  seeAlso?: readonly string[];
}>;
