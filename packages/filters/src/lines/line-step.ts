/** One step of a filter: fewer or shorter lines. Pure, and linear in the length of the lines. */
export type LineStep = (lines: readonly string[]) => readonly string[];
