import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Packages that others use alone (issue 15). `src/readme.test.ts` of each runs its example. */
const LIBRARIES = ['api', 'core', 'filters', 'policy', 'redis', 'sandbox'];

test.for(LIBRARIES)(
  'the README of %s says in 60 lines what it promises, where it runs, its bounds and versions',
  (name) => {
    const page = readFileSync(`packages/${name}/README.md`, 'utf8');
    expect(page.split('\n').length - 1).toBeLessThanOrEqual(60);
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Promise', 'Platform', 'Bounds', 'Versions']);
  },
);
