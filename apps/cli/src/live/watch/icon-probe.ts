/** Draws ⚡ in the first cells of the screen and asks for the cursor position; the first frame covers it. */
export const ICON_PROBE = '\x1b[1;1H⚡\x1b[6n';

/** After an icon of two cells. */
const WANTED_COLUMN = 3;

/**
 * Checks that this terminal draws icons as wide as we count them. Only the first answer is used: later ones are keys
 * that look like it. A terminal that does not answer is assumed to.
 */
export function createIconProbe(onNarrow: () => void): (column: number) => void {
  let isAnswered = false;
  return (column) => {
    if (isAnswered) return;
    isAnswered = true;
    if (column !== WANTED_COLUMN) onNarrow();
  };
}
