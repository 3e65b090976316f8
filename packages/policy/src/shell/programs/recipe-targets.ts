import { type Invocation, REPOSITORY_CODE, WRITES_UNKNOWN } from '../program.ts';

const CHECKS =
  /^(?:test|tests|check|lint|typecheck|type-check|verify|unit|spec|coverage|format-check|fmt-check|check-format)(?:[:._-](?!(?:.*[:._-])?(?:fix|write|update|record|generate)(?:[:._-]|$)).*)?$/;
const RECKLESS =
  /(?:^|[:._-])(?:deploy|publish|release|upload|push|destroy|drop|prod|production|purge|nuke|uninstall|reset|wipe|truncate|schema:load|structure:load|replant|credentials:(?:show|edit)|secrets:(?:show|edit))(?:[:._-]|$)/;
const SHOWS =
  /^(?:help(?::.*)?|list|version|print-.*|tasks|dependencies|dependencyInsight|projects|properties|routes|stats|about|notes|db:migrate:status)$/;

/** A task by whose name something is published, thrown away or changed beyond the workspace. */
export function isReckless(target: string): boolean {
  return RECKLESS.test(target);
}

/** Recipes stand in the workspace: what one does is told by the name of its target alone. */
export function runsTargets(
  targets: readonly (string | undefined)[],
  { scene, span, program }: Invocation,
): void {
  const { report } = scene;
  report.effect(REPOSITORY_CODE);
  report.effect(WRITES_UNKNOWN);
  // `:core:test` is the task of a project within.
  const named = targets
    .filter((target) => target !== undefined)
    .map((target) => target.replace(/^:(?:[\w-]+:)*/, ''));
  if (named.length < targets.length) {
    return report.raise('warning', 'unknown-target', "builds a target that can't be known", span);
  }
  const system = /^(?:[gb]?make|ninja|meson)$/.test(program);
  // `make install` puts files into the system; `just install` fetches what the project needs.
  const reckless = named.find((target) => RECKLESS.test(target) || (system && target === 'install'));
  if (reckless !== undefined) return report.raise('dangerous', 'deploys', `${program} ${reckless}`, span);
  if (named.length > 0 && named.every((target) => CHECKS.test(target) || SHOWS.test(target))) return;
  report.raise('warning', 'unknown-target', `${program} runs a recipe of the workspace`, span);
}
