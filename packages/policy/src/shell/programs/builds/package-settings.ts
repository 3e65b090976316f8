import { type Invocation, NETWORK, type Rule, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf } from '../../word.ts';

/** Changes where later commands get packages from. */
export const FROM_ELSEWHERE: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'package-source',
  text: 'changes where packages come from',
  effects: [NETWORK, WRITES_UNKNOWN],
};

/** `npm config set registry …`, and the same for pnpm and Yarn. */
export const setsPackageSettings: Rule = {
  options: '-glLHv --global --location= --json --long --home --why --no-defaults --verbose',
  judge: ({ program, words, context, span }) => {
    const texts = words.map((word) => textOf(word) ?? '');
    if (texts.some((text) => /_auth|token|password/i.test(text)))
      context.report.raise('dangerous', 'reads-secret', { text: 'reads or sets an npm secret', span });
    const sets =
      program === 'npm set' || texts.some((text) => /^(?:set|unset|delete|edit|fix|rm)$|=/.test(text));
    if (!sets) return;
    const isCode = texts.some((text) =>
      /script-?shell|node-?options|prefix|editor|shell|registry|git|yarnPath|plugins|proxy/i.test(text),
    );
    context.report.raise(isCode ? 'dangerous' : 'warning', 'npm-setting', {
      text: 'changes an npm setting',
      span,
    });
    context.report.effect(WRITES_UNKNOWN);
  },
};

/** Options of package managers and builds that name another source of packages, or a proxy to it. */
const ELSEWHERE =
  /^--?(?:registry|index|index-url|extra-index-url|default-index|find-links|(?:https?-)?proxy|source|sources|repository|repository-url|mirror|pypi-mirror|init-script|settings|global-settings)(?:=|$)|^-D(?:https?\.proxy|repo|remoteRepositories|altDeploymentRepository|maven\.repo)/;

/** `npm --registry https://x.example ci`: at any position, the hosts are not those of the project. */
export function judgePackageOptions({
  program,
  words,
  context,
  span,
}: Pick<Invocation, 'program' | 'words' | 'context' | 'span'>): void {
  const short = SHORT[program];
  if (!words.some((word) => ELSEWHERE.test(beginningOf(word)) || short?.test(beginningOf(word)) === true))
    return;
  context.report.raise('warning', 'package-source', { text: 'sets where packages come from', span });
  context.report.effect(NETWORK);
}

/** The same as single letters. */
const SHORT: Readonly<Record<string, RegExp>> = {
  dotnet: /^-s$/,
  gradle: /^-I/,
  gradlew: /^-I/,
  mvn: /^-g?s$/,
  mvnw: /^-g?s$/,
};
