import type { Filter } from '../filter.ts';
import type { CommandMatcher } from '../match/command-matcher.ts';
import type { LineStep } from '../lines/line-step.ts';
import { without, withoutSteps } from '../lines/without.ts';

const VERBS = new Set(
  'install i ci add update up upgrade remove rm uninstall dedupe audit rebuild import fetch'.split(' '),
);

/** `yarn` and `bun` without a verb install, too. */
function installs(name: string, ...more: readonly string[]): readonly CommandMatcher[] {
  return [
    {
      kind: 'custom',
      matches: ([program, ...words]) => {
        if (program !== name) return false;
        const verb = words.find((word) => word?.startsWith('-') !== true);
        return verb === undefined ? more.includes('') : verb !== null && VERBS.has(verb);
      },
    },
  ];
}

const NPM = [
  /^npm (?:http (?:fetch [A-Z]{1,10} (?:200|304)|cache)|timing|verb(?:ose)?|sill(?:y)?|info (?:run|using|ok)|notice)\b/,
  /^\d+ packages? (?:are|is) looking for funding$/,
  /^ {2}run `npm fund` for details$/,
  /^\s*[[(][#⸩░. ⠂⠐▐▌-]{5,}/,
];
const DEPRECATED = /^npm (?:warn|WARN) deprecated ([^\s:]{1,200}):/;
/** Reasons that a model has to read. */
const DANGEROUS = /secur|vulnerab|malicious|malware|exploit|critical|CVE-/i;
/** Names on one line. */
const NAMES_PER_LINE = 12;

/** `npm warn deprecated` for a dependency of a dependency: the names remain, the advice to its authors does not. */
const deprecations: LineStep = (lines) => {
  const isAdvice = (line: string): boolean => DEPRECATED.test(line) && !DANGEROUS.test(line);
  const names = lines.flatMap((line) => (isAdvice(line) ? (DEPRECATED.exec(line)?.[1] ?? []) : []));
  if (names.length < 2) return lines;
  const first = lines.findIndex(isAdvice);
  const listed = Array.from(
    { length: Math.ceil(names.length / NAMES_PER_LINE) },
    (_, at) => `npm warn deprecated ${names.slice(at * NAMES_PER_LINE, (at + 1) * NAMES_PER_LINE).join(' ')}`,
  );
  return lines.flatMap((line, at) => {
    if (at === first) return listed;
    return isAdvice(line) ? [] : [line];
  });
};

export const npm: Filter = {
  name: 'npm-install',
  matchers: installs('npm'),
  signature: /^(?:added|changed|removed|up to date)\b.{0,80}\bin \d+(?:s|ms|m)$/,
  isSummary: (line) =>
    /^(?:added|changed|removed|up to date)\b|^found \d+ vulnerabilities|^npm (?:error|ERR!)/.test(line),
  stages: [withoutSteps((line) => NPM.some((pattern) => pattern.test(line))), deprecations],
};

const PNPM = [
  /^(?:\S{1,200} )?\|? ?Progress: (?!.*, done$)/,
  /^[+-]{4,}$/,
  /^Downloading \S+: /,
  /^\s*[╭╰]─|^\s*│\s*(?:Update available|Changelog:|Run "?(?:corepack|pnpm) |│$)/,
];

export const pnpm: Filter = {
  name: 'pnpm-install',
  matchers: installs('pnpm'),
  signature: /^Progress: resolved \d+/,
  isSummary: (line) => /^Done in \d|^Already up to date|^ ERR_PNPM/.test(line),
  stages: [withoutSteps((line) => PNPM.some((pattern) => pattern.test(line)))],
};

/** Berry's codes of what it fetches, whatever the words. */
const FETCHED = /^➤ YN00(?:13|19): /;
const YARN = [
  /^\[\d+\/\d+\] /,
  /^(?:[├│└] ?|info (?:Direct|All) dependencies|info (?:fsevents|"))/,
  /^➤ YN0000: [┌└│·]/,
];

export const yarn: Filter = {
  name: 'yarn-install',
  matchers: installs('yarn', ''),
  signature: /^yarn install v\d|^➤ YN0000: · Yarn \d/,
  isSummary: (line) => /^Done in \d|^➤ YN0000: · (?:Done|Failed)/.test(line),
  stages: [
    without(() => (line) => FETCHED.test(line)),
    withoutSteps((line) => !/Done|Failed/.test(line) && YARN.some((pattern) => pattern.test(line))),
  ],
};
