import { locate, type Located } from './paths.ts';
import type { Scene } from './program.ts';

/** Links within links are followed this far. */
const MAX_LINKS = 8;

/** This line makes `link` another name of `target`; both absolute. */
export function noteLink(link: string, target: string, { walk }: Scene): void {
  walk.links.set(link, target);
}

/** What a path means once the links that this line made are followed: `ln -s /etc x; touch x/a`. */
export function followLinks(located: Located, { walk, ground }: Scene): Located {
  let { absolute } = located;
  for (let steps = 0; steps < Math.min(MAX_LINKS, walk.links.size); steps += 1) {
    const before = absolute;
    for (const [link, target] of walk.links) {
      if (absolute !== link && !absolute.startsWith(`${link}/`)) continue;
      absolute = target.replace(/\/$/, '') + absolute.slice(link.length);
      break;
    }
    if (absolute === before) break;
  }
  return absolute === located.absolute ? located : (locate(absolute, '/', ground) ?? located);
}
