import { type Invocation, REPOSITORY_CODE, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, show, textOf, type Word } from '../../word.ts';

const CHECKS =
  /^(?:test|tests|check|lint|typecheck|type-check|verify|unit|spec|coverage|format-check|fmt-check|check-format)(?:[:._-](?!(?:.*[:._-])?(?:fix|write|update|record|generate)(?:[:._-]|$)).*)?$/;
const RECKLESS =
  /(?:^|[:._-])(?:deploy|publish|release|upload|push|destroy|drop|prod|production|purge|nuke|uninstall|reset|wipe|truncate|schema:load|structure:load|replant|publishSigned|sonatype[A-Za-z\d]*|ci-release|credentials:(?:show|edit)|secrets:(?:show|edit))(?:[:._-]|$)/;
/** `mvn spotless:check`, `npm run web:test`: a check of a part. */
export const CHECKS_PART = /^[\w@./-]+:(?:test|tests|lint|check|typecheck|type-check|verify)$/;
/** `gradle testDebugUnitTest`, `ktlintCheck`: names of Gradle. */
const GRADLE_CHECKS =
  /^(?!\w*(?:[fF]ix|[aA]pply|[fF]ormat|[bB]aseline|[uU]pdate|[iI]nstall|[dD]eploy|[pP]ublish|[uU]pload|connected|[dD]evice|[rR]ecord))(?:(?:test|lint|check|checkstyle|ktlint|detekt|spotless|pmd|spotbugs)[A-Z]\w*|detekt|\w+(?:Test|Tests|Check|Lint))$/;
/** `sbt 'testOnly *FooSpec'`, `bazel query //...`: words of a single program. */
const OF_PROGRAM: Readonly<Record<string, RegExp>> = {
  rake: /^(?:TEST|SPEC|SEED)=[\w./:-]*$/,
  sbt: /^(?:[\w-]+\/)?(?:compile|test(?:Only|Quick)?(?: [^;]*)?|Test\/compile|scalafmtCheck(?:All)?)$/,
  bazel: /^(?:c|a)?query$|^info$/,
};
const SHOWS =
  /^(?:help(?::[\w-]*)?|list|version|print-.*|tasks|dependencies|dependencyInsight|projects|properties|routes|stats|about|notes|db:migrate:status)$/;

/** A task whose name says that it publishes, discards or changes something beyond the workspace. */
export function isReckless(target: string): boolean {
  return RECKLESS.test(target);
}

/** `vsce publish`, `wp db drop`: the first words of a program that is not analysed show its purpose. */
export function judgeTasks(words: readonly Word[], { report }: EvaluationContext): void {
  const tasks = words.filter((word) => !beginningOf(word).startsWith('-')).slice(0, 3);
  const reckless = tasks.find((word) => isReckless(textOf(word) ?? ''));
  if (reckless === undefined) return;
  report.raise('dangerous', 'deploys', {
    text: `publishes or destroys: ${show(reckless)}`,
    span: reckless.span,
  });
}

/** Recipes are in the workspace: each is judged by the name of its target alone. */
export function runsTargets(
  targets: readonly (string | undefined)[],
  { context, span, program }: Invocation,
): void {
  const { report } = context;
  report.effect(REPOSITORY_CODE);
  report.effect(WRITES_UNKNOWN);
  // `:core:test` is the task of a subproject.
  const named = targets
    .filter((target) => target !== undefined)
    .map((target) => target.replace(/^:(?:[\w-]+:)*/, ''));
  if (named.length < targets.length) {
    return report.raise('warning', 'unknown-target', {
      text: "builds a target that can't be determined",
      span,
    });
  }
  const system = /^(?:[gb]?make|ninja|meson)$/.test(program);
  // `make install` puts files into the system; `just install` fetches what the project needs.
  const isGradle = /^gradlew?$/.test(program);
  const reckless = named.find(
    (target) =>
      RECKLESS.test(target) ||
      (system && target === 'install') ||
      (isGradle && /^(?:publish|upload|deploy)(?!ToMavenLocal$)[A-Z]/.test(target)),
  );
  if (reckless !== undefined)
    return report.raise('dangerous', 'deploys', { text: `runs ${program} ${reckless}`, span });
  const harmless = (target: string): boolean =>
    CHECKS.test(target) ||
    CHECKS_PART.test(target) ||
    SHOWS.test(target) ||
    OF_PROGRAM[program]?.test(target) === true ||
    (isGradle && GRADLE_CHECKS.test(target));
  if (named.length > 0 && named.every((target) => harmless(target))) return;
  report.raise('warning', 'unknown-target', { text: `runs a ${program} recipe from the workspace`, span });
}
