import { hasOption, valueOf } from '../options.ts';
import { absolutePath } from '../paths.ts';
import { definePrograms, named, type Invocation, REPOSITORY_CODE, WRITES_UNKNOWN } from '../program.ts';
import { touchWrite } from '../touch.ts';
import { beginningOf, literal, textOf } from '../word.ts';
import { judgeHiddenText } from '../hidden-text.ts';
import { judgeInnerCommand } from './inner-command.ts';
import { runsTargets } from './recipe-targets.ts';

/** Programs that build what the workspace says. */
export const builds = definePrograms(
  {
    names: ['make', 'gmake', 'bmake'],
    options:
      '-# -bBdehiknpqrRsStwvmL -C:list -f:read -j? -l? -I:list -o: -W: --directory=list --file=read --makefile=read --jobs? --load-average? --dry-run --just-print --recon --question --silent --quiet --touch --keep-going --ignore-errors --always-make --print-data-base --no-print-directory --print-directory --version --help --eval=shell --environment-overrides --include-dir=list --debug? --trace --warn-undefined-variables --output-sync? --no-builtin-rules --no-builtin-variables --old-file= --what-if=',
    judge: judgeMake,
    examples: {
      safe: ['make check', 'make test', 'make -j4 lint', 'make --version'],
      warning: [
        'make',
        'make assets',
        'make -n',
        'make -C sub all',
        'make CC=./x test',
        "make --eval='x: ; id' x",
      ],
      dangerous: ['make deploy', 'make -C .. all'],
    },
  },
  {
    names: named(
      'rails just task rake ninja gulp grunt invoke doit mage bazel buck scons meson waf ant sbt lein',
    ),
    unknownOptions: 'any',
    judge: (invocation) => {
      judgeElsewhere(invocation);
      runsTargets(
        invocation.options.operands.slice(0, 1).map((word) => textOf(word)),
        invocation,
      );
    },
    examples: {
      safe: ['just test', 'rake spec', 'bazel test //...'],
      warning: ['just', 'ninja', 'just build'],
      dangerous: ['just deploy', 'rake db:drop'],
    },
  },
  {
    names: named(
      'cmake ctest autoreconf autoconf automake qmake configure gcc g++ cc c++ clang clang++ ld as javac java kotlinc kotlin rustc swiftc ghc ocaml dune zig nim protoc dotnet msbuild xcodebuild tectonic pdflatex latexmk pandoc',
    ),
    unknownOptions: 'any',
    judge: ({ program, words, scene, span }) => {
      scene.report.effect(REPOSITORY_CODE);
      const verb = textOf(words[0]);
      if (program === 'ctest' || (verb === 'test' && /^(?:dotnet|dune|zig)$/.test(program))) return;
      if (words.length === 1 && /^-(?:version|v|V)$/.test(verb ?? '')) return;
      if (words.length === 1 && verb === '--list-sdks') return;
      const publishes = /^(?:nuget|publish)$/.test(verb ?? '') && program === 'dotnet';
      scene.report.raise(publishes ? 'dangerous' : 'warning', 'builds', `${program} builds or runs`, span);
      const output = outputOf(words);
      if (output !== undefined && /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc)$/.test(program))
        touchWrite(scene, literal(output, span));
      else scene.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['ctest', 'dotnet test', 'gcc --version', 'java -version'],
      warning: ['gcc -o a a.c', 'cmake --build build', 'java -jar x.jar'],
    },
  },
  {
    names: ['gradle', 'gradlew', 'mvn', 'mvnw'],
    unknownOptions: 'any',
    judge: (invocation) => {
      judgeElsewhere(invocation);
      const goals = invocation.options.operands.map((word) => textOf(word));
      runsTargets(goals, invocation);
    },
    examples: {
      safe: ['mvn test', 'gradle check', 'mvn -q verify'],
      warning: ['mvn package', 'gradle build', 'mvn'],
      dangerous: ['mvn deploy', 'gradle publish'],
    },
  },
);

/** `just -f x test`: recipes of another file or folder, or run by another shell. */
function judgeElsewhere({ words, scene, span }: Invocation): void {
  const odd = words.some((word) =>
    /^-(?:f|t|b|p|d|I|s|c|-(?:justfile|rakefile|taskfile|file|build-file|project-dir|init-script|settings(?:-file)?|shell|working-directory|dir|command|global-settings|define|eval|require))(?:=|$)/.test(
      beginningOf(word),
    ),
  );
  if (odd)
    scene.report.raise('warning', 'other-folder', 'runs recipes from elsewhere, or in another way', span);
  judgeInnerCommand(words, scene);
}

function judgeMake(invocation: Invocation): void {
  const { options, scene, span } = invocation;
  const folder = valueOf(options, '-C', '--directory');
  if (folder !== undefined) {
    const text = textOf(folder);
    const cwd =
      text === undefined || scene.state.cwd === undefined ? undefined : absolutePath(text, scene.state.cwd);
    const inside =
      cwd !== undefined && (cwd === scene.ground.workspace || cwd.startsWith(`${scene.ground.workspace}/`));
    if (!inside) scene.report.raise('dangerous', 'outside-workspace', 'builds outside the workspace', span);
  }
  const settings = options.operands.filter((word) => /^[\w.]+[:+?!]*=/.test(beginningOf(word)));
  if (
    settings.length > 0 ||
    hasOption(options, '-f', '--file', '--makefile', '-e', '--environment-overrides', '-I', '--include-dir')
  ) {
    scene.report.raise('warning', 'make-setting', 'sets variables or another makefile', span);
    const shell = settings.find((word) => /^(?:\.?SHELL(?:FLAGS)?|MAKEFLAGS|MAKE)\b/.test(beginningOf(word)));
    if (shell !== undefined)
      scene.report.raise('dangerous', 'make-setting', 'sets what runs every recipe', span);
    for (const word of settings) judgeHiddenText(beginningOf(word), word.span, scene);
  }
  runsTargets(
    options.operands.filter((word) => !settings.includes(word)).map((word) => textOf(word)),
    invocation,
  );
}

function outputOf(words: readonly Parameters<typeof textOf>[0][]): string | undefined {
  const at = words.findIndex((word) => textOf(word) === '-o');
  return at < 0 ? undefined : textOf(words[at + 1]);
}
