/** One step of a filter: fewer or shorter lines. Pure, and linear in the length of the lines. */
export type Stage = (lines: readonly string[]) => readonly string[];
