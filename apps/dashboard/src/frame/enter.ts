import { client } from '../api/client.ts';

const ENTRY = '#enter=';

/**
 * Turns the one-time code of a link into a cookie, and takes it out of the address bar and the history.
 *
 * @throws when the link was used before or is too old, and no earlier one has let this browser in.
 */
export async function enterByLink(): Promise<void> {
  // A link pasted into a tab that is open already changes no more than what stands behind the `#`.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith(ENTRY)) location.reload();
  });
  if (!location.hash.startsWith(ENTRY)) return;
  const code = location.hash.slice(ENTRY.length);
  history.replaceState(null, '', '#/live');
  try {
    await client.enter({ code });
  } catch (error) {
    // Who is in already needs no link: one that was used is mostly just opened twice.
    await client.getWorkspace().catch(() => {
      throw error;
    });
  }
}
