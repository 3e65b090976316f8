import { textOf, type Word } from '../../word.ts';

/** Harmless words of a toolchain's test run; `--logger` and the like write. */
const TEST_WORDS =
  /^(?:[^-/].*|-(?:v|c|f|t|r|n|p|j\d*)|--(?:no-build|no-restore|nologo|filter|verbosity|configuration|framework|runtime|list-tests|blame|arch|os|summary|force|profile)(?:[=:].*)?|[mnqd])$/;

/** `dotnet test --no-build`, `dune runtest`: tests, with nothing that writes elsewhere or loads. */
export function onlyTests(verb: string, words: readonly Word[]): boolean {
  return textOf(words[0]) === verb && words.every((word) => TEST_WORDS.test(textOf(word) ?? '-?'));
}
