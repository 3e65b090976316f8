import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { without } from '../lines/without.ts';

const TICK = /^\[?\d{1,2}:\d\d:\d\d .{0,3}\]? ?(?:- )?(?:Starting|File change)/;

/** The TypeScript compiler: everything but the ticks of its watch mode and of a build of several projects. */
export const tsc: Filter = {
  name: 'tsc',
  matchers: prefixes('tsc', 'vue-tsc', 'tsgo'),
  isSignature: (line) => /^\S{1,300}\(\d+,\d+\): error TS\d+: |^Found \d+ errors? in /.test(line),
  isSummary: (line) => /\berror TS\d+: |^Found \d+ error/.test(line),
  stages: [without(() => (line) => TICK.test(line))],
};

/** ESLint says nothing that a model may miss: only a very long list is cut. */
export const eslint: Filter = {
  name: 'eslint',
  matchers: prefixes('eslint', 'oxlint', 'standard', 'xo'),
  isSignature: (line) => /^✖ \d+ problems? \(/.test(line),
  isSummary: (line) => /^✖ \d+ problems? \(|^Found \d+ warnings? and \d+ errors?/.test(line),
  stages: [],
};
