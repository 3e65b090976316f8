/** What `try-changes.ts` reads: the ids of all changes that are built into the file. */
export type ChangesToTry = Readonly<{
  tests: readonly string[];
  runsOnImport: boolean;
  ids: readonly string[];
}>;

/** What it writes: Stryker's word for what became of each change, by id. */
export type TriedChanges = Readonly<{
  /** Why nothing can be said: a test fails without any change. */
  problem: string | null;
  status: Readonly<Record<string, string>>;
}>;

/** At the root of the copy. */
export const INPUT_FILE = 'mutation-input.json';
export const OUTPUT_FILE = 'mutation-output.json';
