import { definePrograms, type Invocation, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';
import { printsVersion } from '../prints-version.ts';

/** CMake: writes builds, runs them, and contains a small shell of its own. */
export const cmake = definePrograms({
  names: ['cmake'],
  unknownOptions: 'any',
  judge: judgeCmake,
  examples: {
    safe: ['cmake --build build --target test', 'cmake -E echo x', 'cmake --version'],
    warning: ['cmake --build build', 'cmake --build build --target all', 'cmake -S . -B build'],
    dangerous: ['cmake -E rm -rf lib', 'cmake -E remove_directory lib', 'cmake --install build'],
  },
});

function judgeCmake({ words, context, span }: Invocation): void {
  const { report, walk } = context;
  report.effect(REPOSITORY_CODE);
  if (printsVersion(words) || buildsChecks(words)) return;
  const [verb = '', tool = ''] = words.map((word) => textOf(word) ?? '');
  if (verb === '-E' && TOOLS.test(tool)) return walk.runWords(words.slice(1), context);
  if (verb === '-E' && tool.startsWith('remove'))
    report.raise('dangerous', 'delete-recursive', { text: 'deletes recursively', span });
  if (verb.startsWith('--install'))
    report.raise('dangerous', 'outside-workspace', {
      text: 'installs into folders that the project chooses',
      span,
    });
  if (words.some((word) => beginningOf(word).startsWith('-P')))
    report.raise('warning', 'unknown-script', { text: 'runs a CMake script', span });
  report.raise('warning', 'builds', { text: 'builds or runs with cmake', span });
  report.effect(WRITES_UNKNOWN);
}

/** Tools of `cmake -E` that behave like the programs of that name, or only read. */
const TOOLS =
  /^(?:echo|cat|env|capabilities|compare_files|environment|md5sum|sha\d+sum|sleep|time|true|false|rm|touch)$/;

/** `cmake --build build --target test`: only checks. */
function buildsChecks(words: readonly Word[]): boolean {
  const [build, folder = '', target, name = '', ...more] = words.map((word) => textOf(word) ?? '?');
  const isFolder = /^[\w./]+$/.test(folder) && !folder.includes('..') && !folder.startsWith('/');
  return (
    build === '--build' &&
    isFolder &&
    /^(?:-t|--target)$/.test(target ?? '') &&
    /^(?:test|check|lint)$/.test(name) &&
    more.every((text) => /^(?:-j\d*|-v|--parallel|--verbose|\d+)$/.test(text))
  );
}
