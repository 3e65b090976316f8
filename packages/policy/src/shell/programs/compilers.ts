import { definePrograms, named, REPOSITORY_CODE, type Scene, WRITES_UNKNOWN } from '../program.ts';
import { touchWrite } from '../touch.ts';
import { beginningOf, literal, textOf, type Word } from '../word.ts';

/** Compilers, and what makes their makefiles. */
export const compilers = definePrograms({
  names: named(
    'cmake autoreconf autoconf automake qmake configure gcc g++ cc c++ clang clang++ ld as javac java kotlinc kotlin rustc swiftc ghc ocaml dune zig nim protoc dotnet msbuild xcodebuild tectonic pdflatex latexmk pandoc',
  ),
  unknownOptions: 'any',
  judge: ({ program, words, scene, span }) => {
    scene.report.effect(REPOSITORY_CODE);
    const verb = textOf(words[0]);
    if (
      words.length === 1 &&
      /^(?:-version|-vV|-v|-V|--info|--list-sdks|--list-runtimes|-showversion|-list|-showsdks)$/.test(
        verb ?? '',
      )
    )
      return;
    if (words.length > 0 && words.every((word) => /^--(?:version|verbose)$/.test(textOf(word) ?? ''))) return;
    if (
      (verb === 'test' ||
        (program === 'nim' && verb === 'check') ||
        (program === 'dune' && verb === 'runtest')) &&
      TESTERS.test(program) &&
      words.every((word) => TEST_WORDS.test(textOf(word) ?? '-?'))
    )
      return;
    if (
      program === 'dotnet' &&
      verb === 'list' &&
      !words.some((word) => /^--(?:outdated|vulnerable|deprecated)/.test(beginningOf(word)))
    )
      return;
    if (
      program === 'dotnet' &&
      verb === 'format' &&
      words.some((word) => textOf(word) === '--verify-no-changes') &&
      !words.some((word) => /^-(?:-report|-binarylog|bl)|^@/.test(beginningOf(word)))
    )
      return;
    if (program === 'rustc' && verb === '--explain' && words.length === 2) return;
    if (program === 'zig' && words.length === 1 && /^(?:version|env|targets)$/.test(verb ?? '')) return;
    if (program === 'cmake' && buildsChecks(words)) return;
    if (program === 'cmake' && /^-(?:E|-install|P)/.test(verb ?? ''))
      return judgeCmake(String(verb), words.slice(1), scene, span);
    const drops = program === 'dotnet' && verb === 'ef' && words.some((word) => textOf(word) === 'drop');
    const publishes = drops || (/^(?:nuget|publish)$/.test(verb ?? '') && program === 'dotnet');
    scene.report.raise(publishes ? 'dangerous' : 'warning', 'builds', `${program} builds or runs`, span);
    const output = outputOf(words);
    if (output !== undefined && /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc)$/.test(program))
      touchWrite(scene, literal(output, span));
    else scene.report.effect(WRITES_UNKNOWN);
  },
  examples: {
    safe: [
      'dotnet test',
      'dotnet test --no-build -v q',
      'dotnet format --verify-no-changes',
      'gcc --version',
      'java -version',
      'rustc -vV',
      'rustc --explain E0382',
      'zig version',
      'cmake --build build --target test',
      'nim check a.nim',
      'xcodebuild -list',
      'cmake -E echo x',
    ],
    warning: [
      'dotnet test --logger trx',
      'gcc -o a a.c',
      'cmake --build build',
      'cmake --build build --target all',
      'java -jar x.jar',
    ],
    dangerous: ['dotnet ef database drop', 'cmake -E rm -rf lib', 'cmake --install build'],
  },
});

const TESTERS = /^(?:dotnet|dune|zig|nim)$/;
/** What a test run of a compiler may be given; `--logger` and the like write. */
const TEST_WORDS =
  /^(?:[^-/].*|-(?:v|c|f|t|r|n|p|j\d*)|--(?:no-build|no-restore|nologo|filter|verbosity|configuration|framework|runtime|list-tests|blame|arch|os|summary|force|profile)(?:[=:].*)?|[mnqd])$/;

/** `cmake --build build --target test`: checks, and nothing else. */
function buildsChecks(words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '?');
  const [build, folder = '', target, name = '', ...more] = texts;
  return (
    build === '--build' &&
    /^[\w./]+$/.test(folder) &&
    !folder.includes('..') &&
    !folder.startsWith('/') &&
    /^(?:-t|--target)$/.test(target ?? '') &&
    /^(?:test|check|lint)$/.test(name) &&
    more.every((text) => /^(?:-j\d*|-v|--parallel|--verbose|\d+)$/.test(text))
  );
}

/** `cmake -E rm -rf lib` is a small shell of its own; `--install` copies to where the project says. */
function judgeCmake(verb: string, words: readonly Word[], scene: Scene, span: Word['span']): void {
  const [tool] = words;
  const name = textOf(tool) ?? '';
  if (verb === '-E') {
    if (
      /^(?:echo|cat|env|capabilities|compare_files|environment|md5sum|sha\d+sum|sleep|time|true|false)$/.test(
        name,
      ) ||
      /^(?:rm|touch)$/.test(name)
    )
      return scene.walk.runWords(words, scene);
    if (/^(?:remove_directory|remove)$/.test(name))
      scene.report.raise('dangerous', 'delete-recursive', 'deletes recursively', span);
  }
  if (verb.startsWith('--install'))
    scene.report.raise('dangerous', 'outside-workspace', 'installs to where the project says', span);
  scene.report.raise('warning', 'builds', 'cmake builds or runs', span);
  scene.report.effect(WRITES_UNKNOWN);
}

function outputOf(words: readonly Parameters<typeof textOf>[0][]): string | undefined {
  const at = words.findIndex((word) => textOf(word) === '-o');
  return at < 0 ? undefined : textOf(words[at + 1]);
}
