import { STEPS } from '../budget.ts';
import { locate, type LocatedPath } from './paths.ts';
import type { EvaluationContext } from '../program.ts';

/** Maximum depth of links to links. */
const MAX_LINKS = 8;

/**
 * A path after its links are followed; `leadsAnywhere` when one of them is unknown, and the path is then only its text.
 */
export type LinkedPath = Readonly<{ located: LocatedPath; leadsAnywhere: boolean }>;

/** Records that this line makes `link` another name of `target`; both absolute. */
export function noteLink(link: string, target: string, { walk }: EvaluationContext): void {
  walk.links.set(link, { kind: 'known', path: target });
}

/** Records that this line creates something at an absolute path that may be a link, or a folder with links. */
export function noteUnknownLink(link: string, { walk }: EvaluationContext): void {
  if (!walk.links.has(link)) walk.links.set(link, { kind: 'unknown' });
}

/** Whether a folder may contain links that this line made. */
export function mayHoldLinks(folder: string, { walk }: EvaluationContext): boolean {
  return walk.links.keys().some((link) => link.startsWith(`${folder}/`));
}

/**
 * Target of a path after the links that this line made: `ln -s /etc x; touch x/a`. For the name `itself`, a possible
 * link at its end is not followed.
 */
export function followLinks(
  located: LocatedPath,
  { walk, lineContext }: EvaluationContext,
  { means = 'behind' }: Readonly<{ means?: 'behind' | 'itself' }> = {},
): LinkedPath {
  let { absolute } = located;
  let leadsAnywhere = false;
  // The links are visited here, and once more when a folder is searched for links.
  walk.spend(walk.links.size * STEPS.perCharacter);
  for (let steps = 0; steps < Math.min(MAX_LINKS, walk.links.size); steps += 1) {
    const before = absolute;
    for (const [link, target] of walk.links) {
      if (absolute !== link && !absolute.startsWith(`${link}/`)) continue;
      if (target.kind === 'unknown') leadsAnywhere = means === 'behind' || absolute !== link;
      else absolute = target.path.replace(/\/$/, '') + absolute.slice(link.length);
      break;
    }
    if (absolute === before) break;
  }
  const isMoved = absolute !== located.absolute;
  return { located: isMoved ? (locate(absolute, '/', lineContext) ?? located) : located, leadsAnywhere };
}
