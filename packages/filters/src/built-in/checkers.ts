import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import type { LineStep } from '../lines/line-step.ts';
import { without } from '../lines/without.ts';

const TICK = /^\[?\d{1,2}:\d\d:\d\d .{0,3}\]? ?(?:- )?(?:Starting|File change)/;

/** The TypeScript compiler: everything but the ticks of its watch mode and of a build of several projects. */
export const tsc: Filter = {
  name: 'tsc',
  matchers: prefixes('tsc', 'vue-tsc', 'tsgo'),
  signature: /^\S{1,300}\(\d+,\d+\): error TS\d+: |^Found \d+ errors? in /,
  isSummary: (line) => /\berror TS\d+: |^Found \d+ error/.test(line),
  stages: [without(() => (line) => TICK.test(line))],
};

/** A problem in the list of a file: where, how bad, what, and the rule. */
const PROBLEM = /^ {2,}(\d+:\d+) {2,}((?:error|warning) {2}\S.*)$/;
/** Places on one line. */
const MAX_PLACES = 12;

/** The same problem at several places of a file becomes one line with all places: `  3:1, 4:3  error  …`. */
const sameProblems: LineStep = (lines) => {
  const grouped: string[] = [];
  let group = new Map<string, { readonly at: number; places: string[] }>();
  for (const line of lines) {
    const [, place, padded] = PROBLEM.exec(line) ?? [];
    if (place === undefined || padded === undefined) {
      group = new Map();
      grouped.push(line);
      continue;
    }
    const problem = padded.replaceAll(/ {2,}/g, '  ').trimEnd();
    const same = group.get(problem);
    if (same === undefined || same.places.length >= MAX_PLACES) {
      group.set(problem, { at: grouped.length, places: [place] });
      grouped.push(line);
    } else {
      same.places.push(place);
      grouped[same.at] = `  ${same.places.join(', ')}  ${problem}`;
    }
  }
  return grouped;
};

/** ESLint says nothing that a model may miss: the same problems are listed together, and only a very long list is cut. */
export const eslint: Filter = {
  name: 'eslint',
  matchers: prefixes('eslint', 'standard', 'xo'),
  signature: /^✖ \d+ problems? \(/,
  isSummary: (line) => /^✖ \d+ problems? \(/.test(line),
  stages: [sameProblems],
};
