import { checkWord, WHY_CHECKS_HOLD } from '@signalbox/api';
import { idLabel } from '../../terminal/id-labels.ts';
import { type RenderContext, timer } from '../../terminal/render-context.ts';

export type Blocker = Readonly<{ id: string; provider: string; title: string; since: number }>;

/** A command's blockers: `for openai m2qd run_tests (test run), 0:12; …`; null blockers: it is not in a queue. */
export function waitsText(blockers: readonly Blocker[] | null, render: RenderContext): string {
  if (blockers === null) return '';
  if (blockers.length === 0) return 'for a free slot';
  const all = blockers.map(({ id, provider, title, since }) => {
    const check = checkWord(title);
    const what = check === null ? title : `${title} (${check})`;
    return `for ${provider} ${idLabel(id, render)} ${what}, ${timer(render.now - since)}`;
  });
  const why = blockers.some(({ title }) => checkWord(title) !== null) ? [WHY_CHECKS_HOLD] : [];
  return [...all, ...why].join('; ');
}
