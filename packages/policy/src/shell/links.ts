import { STEPS } from './budget.ts';
import { locate, type LocatedPath } from './paths.ts';
import type { EvaluationContext } from './program.ts';

/** Links within links are followed this far. */
const MAX_LINKS = 8;

/** A path once links are followed; `leadsAnywhere` where one of them is not known, and then only by its text. */
export type LinkedPath = Readonly<{ located: LocatedPath; leadsAnywhere: boolean }>;

/** This line makes `link` another name of `target`; both absolute. */
export function noteLink(link: string, target: string, { walk }: EvaluationContext): void {
  walk.links.set(link, { kind: 'known', path: target });
}

/** This line puts something at an absolute path that may be a link, or a folder with links in it. */
export function noteUnknownLink(link: string, { walk }: EvaluationContext): void {
  if (!walk.links.has(link)) walk.links.set(link, { kind: 'unknown' });
}

/** Whether a folder may hold links that this line made. */
export function mayHoldLinks(folder: string, { walk }: EvaluationContext): boolean {
  return walk.links.keys().some((link) => link.startsWith(`${folder}/`));
}

/**
 * What a path means once the links that this line made are followed: `ln -s /etc x; touch x/a`. Who means the name
 * `itself` is led nowhere by what may be a link there.
 */
export function followLinks(
  located: LocatedPath,
  { walk, lineContext }: EvaluationContext,
  means: 'behind' | 'itself' = 'behind',
): LinkedPath {
  let { absolute } = located;
  let leadsAnywhere = false;
  // They are gone through here, and once more where links are looked for in a folder.
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
