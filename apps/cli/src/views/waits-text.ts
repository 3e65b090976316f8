import { idLabel } from '../screen/id-labels.ts';
import { type Look, timer } from '../screen/look.ts';

export type Blocker = Readonly<{ id: string; provider: string; title: string; since: number }>;

/** Whom a command waits for: `openai m2qd run_tests, 0:12; …`; null blockers: it is in no queue. */
export function waitsText(blockers: readonly Blocker[] | null, look: Look): string {
  if (blockers === null) return '';
  if (blockers.length === 0) return 'for a free slot';
  return blockers
    .map(
      ({ id, provider, title, since }) =>
        `for ${provider} ${idLabel(id, look)} ${title}, ${timer(look.now - since)}`,
    )
    .join('; ');
}
