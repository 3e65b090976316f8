import { hasOption } from '../../options.ts';
import { definePrograms, named, type Invocation, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf } from '../../word.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';
import { judgeProgramText } from '../shells/interpreters.ts';
import { judgeOwnRecipes } from './own-recipes.ts';
import { runsTargets } from './recipe-targets.ts';

/** Programs that build what the workspace specifies. */
export const builds = definePrograms(
  {
    names: named(
      'just task rake ninja gulp grunt invoke doit mage bazel bazelisk buck scons meson waf ant sbt lein',
    ),
    options:
      '-# -hlnqvktyT? -j? -k -C:list -B --help --list --verbose --quiet --silent --version --dry-run --keep-going --jobs= --color= --colors? --no-color --trace? --tasks --all --parallel --test_output= --test_filter= --config= --keep_going --test_arg= --runs_per_test= --cache_test_results= --nocache_test_results --noshow_progress --show_progress --test_summary= --test_tag_filters= --test_verbose_timeout_warnings --print-errorlogs --suite= --num-processes= --no-rebuild --timeout-multiplier= --seed= --fail-fast --name= --summary --evaluate --show --no-deps --force --yes --no-input --backtrace --suppress-backtrace= -DskipTests',
    judge: (invocation) => {
      judgeElsewhere(invocation);
      judgeOwnRecipes(invocation);
      if (onlyLists(invocation)) return;
      // `rake test db:drop` runs both; of `bazel test //app` only the first word is the action.
      const { operands } = invocation.options;
      const first = /^(?:bazel|bazelisk|buck|meson|lein)$/.test(invocation.program);
      const targets = first ? operands.slice(0, 1) : operands;
      runsTargets(
        targets.map((word) => textOf(word)),
        invocation,
      );
    },
    examples: {
      safe: [
        'just test',
        'just --list',
        'rake -T',
        'rake spec',
        'bazel test //...',
        "sbt 'testOnly *A'",
        'lein test :only a',
        "bazel query 'deps(//a)'",
      ],
      warning: [
        'ninja -v',
        'just -v',
        'rake -v',
        'just',
        'ninja',
        'just build',
        'just test x',
        'bazel test --run_under=./x //...',
        'rake -r ./x spec',
      ],
      dangerous: [
        "sbt 'testOnly *A' publish",
        'sbt publishSigned',
        'just deploy',
        'rake db:drop',
        'rake test db:drop',
      ],
    },
  },
  {
    names: ['rails'],
    options:
      '-# -TbfvdqhA -c: -g: -n: -s: -e: -w: -m: -E --tasks --backtrace --fail-fast --verbose --defer-output --warnings? --controller= --grep= --name= --seed= --environment= --expanded --unused --trace? --all --version --help --profile? --color --no-color --include= --exclude=',
    judge: (invocation) => {
      if (onlyLists(invocation)) return;
      const [verb, text] = invocation.options.operands;
      if (/^(?:runner|r)$/.test(textOf(verb) ?? '') && text !== undefined) {
        judgeProgramText(text, invocation);
        const { context, span } = invocation;
        context.report.raise('warning', 'unknown-script', {
          text: "runs code that isn't analysed",
          span,
        });
      }
      const targets = invocation.options.operands.map((word) => textOf(word));
      // The words after `test` are names of tests.
      runsTargets(
        /^test(?::.*)?$|^routes$/.test(targets[0] ?? '') ? targets.slice(0, 1) : targets,
        invocation,
      );
    },
    examples: {
      safe: [
        'rails routes -c users',
        'rails test -n test_a a_test.rb',
        'rails -T',
        'rails -v',
        'rails about',
      ],
      warning: ['rails db:migrate', 'rails runner x.rb', 'rails server', 'rails test --require ./x.rb'],
      dangerous: ['rails db:migrate db:drop', 'rails credentials:show', `rails runner 'File.delete("a")'`],
    },
  },
  {
    names: ['ctest'],
    options:
      '-# -VNQHhF -j? -R: -E: -L: -LE: -C: -I: -A: -U --verbose --extra-verbose --debug --output-on-failure --stop-on-failure --progress --parallel? --tests-regex= --exclude-regex= --label-regex= --label-exclude= --build-config= --rerun-failed --repeat= --test-dir=list --timeout= --stop-time= --schedule-random --show-only? --quiet --no-tests= --preset= --list-presets --max-width= --test-output-size-passed= --test-output-size-failed= --test-output-truncation= --version --help --no-label-summary --no-subproject-summary --interactive-debug-mode=',
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    examples: {
      safe: ['ctest', 'ctest --output-on-failure -j4 -R name'],
      warning: ['ctest -S x.cmake', 'ctest --build-and-test . b', 'ctest -O x.log', 'ctest -D Nightly'],
    },
  },
  {
    names: ['gradle', 'gradlew', 'mvn', 'mvnw'],
    style: 'long',
    options:
      '--T1 --T2 --T4 --T8 --T1C --T2C --T4C -q -B -o -U -e -X -V -v -i -d -s -S -x= -T= -P= -pl= --am --amd --ff --fae --fn --ntp -rf= -Dtest= --DskipTests? --DskipITs? -DfailIfNoTests= -DfailIfNoSpecifiedTests= -Dsurefire.failIfNoSpecifiedTests= -Dsurefire.useFile= -DtrimStackTrace= -Dmaven.test.failure.ignore= -Dstyle.color= -DforkCount= -Dgroups= -DexcludedGroups= --Dcheckstyle.skip? --Dspotbugs.skip? --quiet --batch-mode --offline --update-snapshots --errors --debug --info --warn --stacktrace --full-stacktrace --no-transfer-progress --projects= --also-make --also-make-dependents --fail-at-end --fail-fast --fail-never --threads= --activate-profiles= --version --help --no-daemon --daemon --parallel --no-parallel --continue --no-build-cache --build-cache --configuration-cache --no-configuration-cache --rerun-tasks --rerun --refresh-dependencies --tests= --exclude-task= --console= --warning-mode= --max-workers= --profile --dry-run --configure-on-demand --no-rebuild --no-watch-fs --show-version --color= --priority= --status --all --configuration= --dependency=',
    judge: (invocation) => {
      judgeElsewhere(invocation);
      if (onlyLists(invocation)) return;
      const goals = invocation.options.operands.map((word) => textOf(word));
      runsTargets(goals, invocation);
    },
    examples: {
      safe: [
        'mvn -v',
        'mvn verify -DskipITs',
        'gradle :core:test',
        'mvn test',
        'gradle check',
        'mvn -q verify',
        'mvn -q -Dtest=A test',
        'gradle test --tests A',
        'gradle :app:testDebugUnitTest ktlintCheck',
        'mvn -T1C spotless:check',
      ],
      warning: [
        'mvn package',
        'gradle build',
        'mvn',
        'gradle lintFix',
        'gradle connectedAndroidTest',
        'mvn test -Dexec.executable=./x',
        'gradle test --init-script ./x',
      ],
      dangerous: ['mvn deploy', 'gradle publish'],
    },
  },
);

/** `rake -T db`, `just --list`, `mvn -v`: only lists. The letters mean other things elsewhere. */
function onlyLists({ program, options, context }: Invocation): boolean {
  const names = LISTING[program] ?? ['--list', '--version'];
  if (!hasOption(options, ...names)) return false;
  const patterns = program === 'rake' || hasOption(options, '--show') ? 1 : 0;
  if (options.operands.length > patterns) return false;
  context.report.effect(REPOSITORY_CODE);
  return true;
}

const LISTING: Readonly<Record<string, readonly string[]>> = {
  rake: ['-T', '--tasks', '--version'],
  rails: ['-T', '--tasks', '--version', '-v'],
  just: ['--list', '-l', '--summary', '--show', '--version'],
  mvn: ['-v', '--version'],
  mvnw: ['-v', '--version'],
  gradle: ['-v', '--version'],
  gradlew: ['-v', '--version'],
};

/** `just -f x test`: recipes of another file or folder, or run by another shell. */
function judgeElsewhere({ words, context, span }: Invocation): void {
  const unusual = words.some((word) =>
    /^-(?:f|t|b|p|d|I|s|c|-(?:justfile|rakefile|taskfile|file|build-file|project-dir|init-script|settings(?:-file)?|shell|working-directory|dir|command|global-settings|define|eval|require))(?:=|$)/.test(
      beginningOf(word),
    ),
  );
  if (unusual)
    context.report.raise('warning', 'other-folder', {
      text: 'runs recipes from another folder or with other settings',
      span,
    });
  judgeInnerCommand(words, context);
}
