import { client } from '../api/client.ts';

const ENTRY = '#enter=';

/**
 * Exchanges the one-time code of a link for a cookie, and removes it from the address bar and the history.
 *
 * @throws when the link was already used or has expired, and this browser is not signed in.
 */
export async function enterByLink(): Promise<void> {
  // A link pasted into an open tab changes only the part after the `#`.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith(ENTRY)) location.reload();
  });
  if (!location.hash.startsWith(ENTRY)) return;
  const code = location.hash.slice(ENTRY.length);
  history.replaceState(null, '', '#/live');
  try {
    await client.enter({ code });
  } catch (error) {
    // A signed-in browser needs no link: a used one was probably just opened twice.
    await client.getWorkspace().catch(() => {
      throw error;
    });
  }
}
