import {
  type Invocation,
  NETWORK,
  REPOSITORY_CODE,
  type Rule,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { hasOption } from '../../options.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';
import { loadsModules } from './loads-modules.ts';
import { judgeOwnScripts } from '../builds/own-recipes.ts';
import { CHECKS_PART } from '../builds/recipe-targets.ts';
import { runRest, startedBy } from '../shells/run-rest.ts';
import { touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, literal, mayBeOption, show, textOf, type Word } from '../../word.ts';

export const READS = {
  options:
    '-# -haglpsrvqFw? --all --long --parseable --json --depth= --global --workspace= --workspaces --include-workspace-root --omit= --include= --link --prod --production --dev --only= --package-lock-only --unicode --silent --quiet --recursive --filter= --no-optional --optional --lockfile-only --pattern= --columns= --find-by= --exclude-peers --only-projects --verbose --help --version --expect-results --expect-result-count= --which --loglevel=',
} as const satisfies Rule;

/** Queries a registry; `audit fix` also installs. */
export const ASKS: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'network',
  text: 'contacts a package registry',
  effects: [NETWORK],
  judge: ({ words, context }) => {
    if (words.some((word) => textOf(word) === 'fix')) context.report.effect(WRITES_UNKNOWN);
  },
};

export const PUBLISHES: Rule = {
  unknownOptions: 'any',
  level: 'dangerous',
  code: 'publishes',
  text: 'publishes, or uses a registry account',
  effects: [NETWORK],
};

/** Names of scripts that check and change nothing permanent. */
const CHECKS =
  /^(?:test|tests|t|lint|check|checks|type-?check|types|tsc|verify|unit|e2e|spec|coverage|cov|validate)(?:[:._-](?!(?:.*[:._-])?(?:fix|write|update|record|generate)(?:[:._-]|$)).*)?$|^(?:format|fmt|prettier)[:-]check$/;
const RECKLESS =
  /(?:^|[:._-])(?:deploy|publish|release|drop|reset|destroy|prod|production|push|purge|nuke)(?:[:._-]|$)/;

/** Options that change which script runs, its folder or its shell. */
const ELSEWHERE =
  /^--(?:script-shell|prefix|node-options|userconfig|globalconfig|cwd|dir|config|shell|preload|require|import|loader|root|rootDir)(?:=|$)|^-C/;

/** `npm run name`: the script is in the manifest, so it is judged by its name. */
export const runsScript: Rule = {
  unknownOptions: 'any',
  effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
  judge: (invocation) => {
    const { program, words, context, span } = invocation;
    const verb = program.replace(/^.* /s, '');
    const isRun = /^(?:run|run-script|rum|urn)$/.test(verb);
    const name = isRun ? nameOf(words) : verb;
    if (isRun && words.length === 0) return;
    if (name === undefined)
      return context.report.raise('dangerous', 'dynamic-program', {
        text: "runs a script that can't be determined",
        span,
      });
    judgeOwnScripts({ ...invocation, context: startedBy(context) });
    if (RECKLESS.test(name))
      return context.report.raise('dangerous', 'deploys', { text: `runs the script ${name}`, span });
    if (program.startsWith('bun ') && /\/|\.[cm]?[jt]sx?$/.test(name))
      startedBy(context).report.raise('warning', 'unknown-script', { text: `runs a file: ${name}`, span });
    const exec = words.findIndex((word) => textOf(word) === 'exec');
    if (exec >= 0) judgeInnerCommand(words.slice(exec), context);
    const elsewhere = words.some((word) => ELSEWHERE.test(beginningOf(word)));
    if (elsewhere)
      context.report.raise('warning', 'other-folder', {
        text: 'runs a script with another shell, setting or folder',
        span,
      });
    const fixes = words.some((word) =>
      /^(?:--fix|-u|--update(?:-snapshots?|Snapshot)?|--write)$/.test(beginningOf(word)),
    );
    if (!(CHECKS.test(name) || CHECKS_PART.test(name)) || fixes)
      context.report.raise('warning', 'runs-script', { text: `runs the script ${name}`, span });
    else passesOn(words, context);
  },
};

/** Options of package managers, and of the usual runners and linters of scripts, that only select and show. */
const PASSED_ON =
  /^(?:[^-]|$|-(?:-|s|q|v|t|g|k|x|r|b|i|w|F|W|P|n|j|f|R|bail|\d+)$|--(?:no-)?(?:if-present|silent|quiet|verbose|workspaces?|include-workspace-root|filter|recursive|parallel|stream|aggregate-output|sort|bail|if-present|loglevel|ignore-scripts|watch|watchAll|run|runInBand|ci|coverage|coverageReporters|collectCoverage|collectCoverageFrom|coverage\.[\w.]+|grep|fgrep|invert|testNamePattern|testPathPatterns?|testPathIgnorePatterns|test-name-pattern|findRelatedTests|onlyChanged|changed|changedSince|related|only|only-changed|onlyFailures|last-failed|project|projects|selectProjects|shard|reporter|reporters|passWithNoTests|pass-with-no-tests|forceExit|exit|detectOpenHandles|detectLeaks|maxWorkers|max-workers|workers|threads|pool|isolate|file-parallelism|timeout|testTimeout|test-timeout|retries|retry|repeat-each|headless|headed|browser|browsers|single-run|max-warnings|max-failures|ext|color|colors|cache|noEmit|pretty|list|listTests|json|typecheck|allowOnly|expand|silent|progress|seed|randomize|slow|spec|tap|match|serial|fail-fast|forbid-only|inspect-brk|dry-run|check|env|mode|report-unused-disable-directives|tags|tag|help|version|concurrency|runTestsByPath|verbosity|debug)(?:=|$))/;

/** `npm test -- --globalSetup=./x`: the program is not on the line, so an option has to be harmless to all. */
function passesOn(words: readonly Word[], context: EvaluationContext): void {
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    const before = beginningOf(words[at - 1] ?? word);
    if (/^(?:-R|-r|--(?:reporters?|env|browsers?|pool))$/.test(before)) loadsModules([word], context);
    if (/^--(?:reporters?|env|browsers?|pool)=/.test(text))
      loadsModules([after(word, text.indexOf('=') + 1)], context);
    const mayBeAny = mayBeOption(word) || (word.kind === 'dynamic' && text.startsWith('-'));
    if (PASSED_ON.test(text) && !mayBeAny) continue;
    context.report.raise('warning', 'unknown-option', {
      text: `passes on an unknown option: ${show(word)}`,
      span: word.span,
    });
  }
}

/** Programs that are packages of most projects, and are judged as themselves. */
export const INSTALLED =
  /^(?:tsc|vue-tsc|eslint|oxlint|prettier|oxfmt|biome|vitest|jest|mocha|ava|stylelint|knip|svelte-check|tsx|ts-node|rimraf|shx|cross-env|turbo|nx|vite|webpack|playwright|cypress|c8|nyc|prisma|sequelize|sequelize-cli|typeorm|knex|drizzle-kit)$/;

/** `yarn node x.js`, `pnpm bash x.sh`: probably no scripts of the manifest. */
const INTERPRETERS = /^(?:node|python3?|(?:ba|da|z)?sh)$/;

/** `yarn jest`, `pnpm vitest run`: a script of that name, or the program. */
export const runsNamed: Rule = {
  ...runsScript,
  judge: (invocation) => {
    const { program, words, context, span } = invocation;
    const verb = program.replace(/^.* /s, '');
    if (INSTALLED.test(verb) || INTERPRETERS.test(verb))
      runRest([literal(verb, span), ...words], startedBy(context));
    else runsScript.judge?.(invocation);
  },
};

function nameOf(words: readonly Word[]): string | undefined {
  const name = words.find(
    (word, at) =>
      (!beginningOf(word).startsWith('-') || textOf(word) === undefined) &&
      !/^(?:-[wFC]|--(?:workspace|filter|prefix|dir|cwd|loglevel))$/.test(beginningOf(words[at - 1] ?? word)),
  );
  return textOf(name);
}

/** Installs or removes packages: the manifest, the lock file and everything in `node_modules`. */
export function installs(lockFile: string): Rule {
  return {
    unknownOptions: 'any',
    level: 'warning',
    code: 'installs',
    text: 'installs or removes packages',
    effects: [NETWORK],
    judge: ({ program, words, context, span }) => {
      const texts = words.map((word) => beginningOf(word));
      const wide = texts.some((text) =>
        /^(?:-g|--global|--location=global|--prefix|-C|--dir|--cwd)/.test(text),
      );
      if (wide) return context.report.effect(WRITES_UNKNOWN);
      // The manifest of another package of this repository.
      const elsewhere = texts.some((text) =>
        /^(?:-w|-F|-r|--workspaces?|--filter|--recursive)(?:=|$)/.test(text),
      );
      if (elsewhere) context.report.effect(WRITES_UNKNOWN);
      if (/\b(?:exec|x|init|create|dlx|explore)$/.test(program)) return runsPackage(words, context);
      touchWrite(context, literal('node_modules', span), { scope: 'tree' });
      if (/\b(?:ci|clean-install|rebuild|prune)$/.test(program) || texts.includes('--frozen-lockfile'))
        return;
      const isPlain = words.every((word) => beginningOf(word).startsWith('-'));
      if (!isPlain || /\b(?:up|update|upgrade)$/.test(program))
        touchWrite(context, literal('package.json', span));
      touchWrite(context, literal(program.startsWith('bun ') ? 'bun.lock' : lockFile, span));
    },
  };
}

/** `npm exec -- rimraf lib`, `npm exec -c 'rm -rf lib'`: the named program may be a known one. */
function runsPackage(words: readonly Word[], context: EvaluationContext): void {
  context.report.effect(WRITES_UNKNOWN);
  const call = words.findIndex((word) => /^(?:-c|--call)$/.test(textOf(word) ?? ''));
  judgeInnerCommand(words, context);
  const script = words[call + 1];
  if (call >= 0 && script !== undefined)
    context.walk.runText(textOf(script) ?? '"$unknown"', script.span, context);
  const dashes = words.findIndex((word) => textOf(word) === '--');
  if (dashes >= 0)
    context.walk.runWords(words.slice(dashes + 1), { ...context, state: { ...context.state } });
}

/** `npm --prefix sub test`: scripts of another folder. */
export function judgeFolder({ options, context, span }: Invocation): void {
  if (hasOption(options, '-w', '--workspace', '--workspaces', '-F', '--filter', '-r', '--recursive'))
    context.report.effect(WRITES_UNKNOWN);
  if (!hasOption(options, '--prefix', '-C', '--dir', '--cwd')) return;
  context.report.raise('warning', 'other-folder', { text: 'runs in another folder', span });
  context.report.effect(WRITES_UNKNOWN);
}
