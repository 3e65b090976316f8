import { type Review, reviewOf } from '@signalbox/coordinator';
import { findSession } from '../frame/find-session.ts';
import type { Sight } from '../sight/sight.ts';

/** Commands that changed files, the newest; older ones are left to `signalbox history`. */
const MAX_COMMANDS = 200;

/** What was changed and not undone, of a session or of all. */
export async function loadReview(
  sight: Pick<Sight, 'commands' | 'changesOf'>,
  { sessions }: { readonly sessions: readonly string[] },
): Promise<Review> {
  const wanted = new Set(await Promise.all(sessions.map((one) => findSession(sight.commands, one))));
  const all = await sight.commands.list({ limit: 1000 });
  const own = all.filter(
    ({ context, result }) =>
      (wanted.size === 0 || wanted.has(context.sessionId)) &&
      result?.files.some(({ kind }) => kind !== 'read') === true,
  );
  const changed = [];
  for (const record of own.slice(0, MAX_COMMANDS)) {
    const changes = await sight.changesOf(record.id);
    if (changes !== null) changed.push({ record, changes });
  }
  return reviewOf(all, changed);
}
