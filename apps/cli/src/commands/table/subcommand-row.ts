/** A flag of a subcommand. */
export type Flag = Readonly<{
  /** Without dashes: `until`. */
  name: string;
  short?: string;
  /** Name of its value, such as `LINE`; absent: a flag without a value. */
  value?: string;
  /** May be repeated. */
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
   * A command id, for which shells offer: pending approvals, unfinished commands, lease holders, commands with kept
   * changes that were not undone, commands with kept changes.
   */
  commands?: 'asking' | 'unfinished' | 'holding' | 'undoable' | 'changing' | 'any';
}>;

/**
 * A subcommand as help, completion and docs/cli.md know it: only data, so that `--help` is fast. `load-subcommand.ts`
 * maps it to its code.
 */
export type SubcommandRow = Readonly<{
  name: string;
  group: 'Start' | 'See' | 'Decide' | 'Rules' | 'Operate';
  /** One line, no full stop. */
  summary: string;
  /** A few words, for two subcommands that share a line of the help. */
  brief: string;
  args?: readonly Argument[];
  /** The text after `--` is one shell line. */
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
