import { definePrograms, named, type Invocation, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { beginningOf, literal, textOf, type Word } from '../../word.ts';
import { judgeProgramText } from '../shells/interpreters.ts';
import { onlyTests } from './only-tests.ts';
import { printsVersion } from '../prints-version.ts';

/** Compilers, and generators of their makefiles. */
export const compilers = definePrograms({
  names: named(
    'autoreconf autoconf automake qmake configure gcc g++ cc c++ clang clang++ ld as javac java kotlinc kotlin rustc swiftc ghc ocaml dune zig nim protoc msbuild xcodebuild tectonic pdflatex latexmk pandoc',
  ),
  unknownOptions: 'any',
  judge: judgeCompiler,
  examples: {
    safe: [
      'gcc --version',
      'gcc -fsyntax-only -Wall -std=c17 -Iinclude a.c',
      'java -version',
      'rustc -vV',
      'rustc --explain E0382',
      'zig version',
      'nim check a.nim',
      'dune runtest',
      'xcodebuild -list',
    ],
    warning: [
      'gcc -o a a.c',
      'gcc -fsyntax-only -fplugin=./x.so a.c',
      'gcc -E a.c -o a.i',
      'java -jar x.jar',
      'rustc a.rs',
    ],
    dangerous: [`ghc -e 'System.Process.system "id"'`, 'gcc -fsyntax-only -include .env a.c'],
  },
});

/** Compilers whose `-o` names everything that they write. */
const WITH_OUTPUT = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc)$/;

function judgeCompiler(invocation: Invocation): void {
  const { program, words, context, span } = invocation;
  context.report.effect(REPOSITORY_CODE);
  if (printsVersion(words) || READ_ONLY[program]?.(words) === true) return;
  if (onlyChecks(program, words)) {
    for (const word of words) if (!beginningOf(word).startsWith('-')) touchRead(context, word);
    return;
  }
  const [verb, text] = words;
  if (program === 'ghc' && textOf(verb) === '-e' && text !== undefined) judgeProgramText(text, invocation);
  if (program === 'java')
    context.report.raise('warning', 'unknown-script', { text: "runs code that isn't analysed", span });
  context.report.raise('warning', 'builds', { text: `builds or runs with ${program}`, span });
  const output = outputOf(words);
  if (output !== undefined && WITH_OUTPUT.test(program)) touchWrite(context, literal(output, span));
  else context.report.effect(WRITES_UNKNOWN);
}

/** The read-only and test forms of each. */
const READ_ONLY: Readonly<Record<string, (words: readonly Word[]) => boolean>> = {
  rustc: (words) => textOf(words[0]) === '--explain' && words.length === 2,
  zig: (words) =>
    onlyTests('test', words) ||
    (words.length === 1 && /^(?:env|targets|version)$/.test(String(textOf(words[0])))),
  nim: (words) => onlyTests('test', words) || onlyTests('check', words),
  dune: (words) => onlyTests('test', words) || onlyTests('runtest', words),
};

/** `gcc -fsyntax-only`, `gcc -E a.c`: reads the sources, and writes no file. */
function onlyChecks(program: string, words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '@');
  const isC = WITH_OUTPUT.test(program) && program !== 'rustc';
  return (
    isC &&
    texts.some((text) => /^-(?:fsyntax-only|E)$/.test(text)) &&
    texts.every((text) => CHECKING.test(text))
  );
}

/** Sources, and options that neither write nor load; `-Wl,…` and the like pass options on. */
const CHECKING =
  /^(?:[^-@].*|-(?:fsyntax-only|E|P|include|std=[\w+]+|W[\w+=-]*|[IDU][^,]*|O\w?|g\d?|pedantic(?:-errors)?|ansi|pthread|w|fno-[a-z-]+|m(?:32|64|arch=[\w-]+)))$/;

function outputOf(words: readonly Word[]): string | undefined {
  const at = words.findIndex((word) => textOf(word) === '-o');
  return at < 0 ? undefined : textOf(words[at + 1]);
}
