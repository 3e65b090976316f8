import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { withoutSteps } from '../lines/without.ts';

const STEP =
  /^(?:Get:\d+ |Hit:\d+ |Ign:\d+ |Fetched |Reading (?:package lists|state information)|Building dependency tree|\(Reading database |Selecting previously unselected |Preparing to unpack |Unpacking |Setting up |Processing triggers )/;

export const apt: Filter = {
  name: 'apt',
  matchers: prefixes('apt', 'apt-get', 'sudo apt', 'sudo apt-get'),
  signature: /^Reading package lists\.{3}/,
  isSummary: (line) => /^\d+ upgraded, \d+ newly installed, |^E: /.test(line),
  stages: [withoutSteps((line) => STEP.test(line))],
};
