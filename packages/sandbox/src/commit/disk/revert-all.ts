import { createTurns, FILES } from '../../turns.ts';
import { openHostFolders } from './host-folders.ts';
import type { CommitLocation, Journal } from './journal.ts';
import { revert } from './swap.ts';

/** Reverts every step, the last first. */
export async function revertAll(
  journal: Pick<Journal, 'entries'>,
  { workspace, folder }: CommitLocation,
): Promise<void> {
  const folders = openHostFolders(workspace);
  const turn = createTurns(FILES);
  try {
    for (const entry of journal.entries.toReversed()) {
      revert(entry, folder, folders);
      await turn();
    }
    await folders.sync();
  } finally {
    folders.close();
  }
}
