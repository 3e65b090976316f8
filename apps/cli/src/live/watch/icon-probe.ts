/** Draws ⚡ in the first cells of the screen and asks where the cursor stands then; the first frame covers it. */
export const ICON_PROBE = '\x1b[1;1H⚡\x1b[6n';

/** Behind a sign of two cells. */
const WANTED_COLUMN = 3;

/**
 * Whether this terminal draws signs as wide as we count them. Only the first answer is heard: later ones are keys that
 * look like it. A terminal that answers nothing is believed to.
 */
export function createIconProbe(onNarrow: () => void): (column: number) => void {
  let isAnswered = false;
  return (column) => {
    if (isAnswered) return;
    isAnswered = true;
    if (column !== WANTED_COLUMN) onNarrow();
  };
}
