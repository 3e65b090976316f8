import { inOrder } from '../in-order.ts';
import { definePrograms, named, type Invocation, NETWORK, WRITES_UNKNOWN } from '../program.ts';
import { touchRead, touchWrite } from '../touch.ts';
import { beginningOf, textOf } from '../word.ts';

/** Programs that survey or tidy text: count it, check its spelling, mix its lines, change their endings. */
export const textChecks = definePrograms(
  {
    names: named('tokei cloc scc typos cspell codespell misspell vale proselint alex dust'),
    unknownOptions: 'any',
    judge: judgeSurvey,
    examples: {
      safe: ['tokei', 'cloc src', 'codespell docs', 'typos'],
      warning: ['codespell -w docs', 'typos --write-changes', 'cloc --out=x.txt src'],
    },
  },
  {
    names: ['shuf'],
    options:
      '-erz -i: -n: -o:write --echo --input-range= --head-count= --output=write --repeat --zero-terminated --random-source=read',
    operands: 'read',
    examples: { safe: ['shuf -n 5 a.txt', 'shuf -i 1-10'], warning: ['shuf -o b.txt a.txt'] },
  },
  {
    names: ['dos2unix', 'unix2dos'],
    options: '-fkqsbV --force --keepdate --quiet --safe --keep-bom --version -i? --info?',
    judge: ({ options, scene, span }) => {
      for (const word of options.operands) {
        touchRead(scene, word);
        if (!options.given.some(({ name }) => name === '-i' || name === '--info')) touchWrite(scene, word);
      }
      scene.report.raise('safe', 'edits-in-place', 'changes the ends of lines', span);
    },
    examples: { safe: ['dos2unix -i a.txt'], warning: ['dos2unix a.txt', 'unix2dos -k a b'] },
  },
  {
    names: [
      'mlr',
      'xsv',
      'qsv',
      'csvcut',
      'csvgrep',
      'csvlook',
      'csvsort',
      'csvstat',
      'gron',
      'fx',
      'miller',
    ],
    unknownOptions: 'any',
    judge: judgeTable,
    examples: {
      safe: ['mlr --icsv --ojson cat a.csv', 'xsv headers a.csv', 'csvlook a.csv', 'gron a.json'],
      warning: ['mlr -I --csv sort -f a a.csv', 'xsv split out a.csv', "mlr -n put 'end{system(1)}'"],
      dangerous: ['csvlook .env'],
    },
  },
  {
    names: [
      'semantic-release',
      'release-it',
      'np',
      'fastlane',
      'goreleaser',
      'changeset',
      'standard-version',
    ],
    unknownOptions: 'any',
    judge: ({ program, words, scene, span }) => {
      const dry = words.some((word) => /^(?:--dry-run|--snapshot|check|status)$/.test(textOf(word) ?? ''));
      const local = program === 'changeset' && textOf(words[0]) !== 'publish';
      const level = dry || local ? 'warning' : 'dangerous';
      scene.report.raise(level, 'publishes', 'makes or publishes a release', span);
      scene.report.effect(WRITES_UNKNOWN);
      scene.report.effect(NETWORK);
    },
    examples: {
      warning: ['changeset', 'semantic-release --dry-run', 'goreleaser check'],
      dangerous: ['semantic-release', 'np', 'fastlane beta', 'changeset publish', 'goreleaser release'],
    },
  },
);

function judgeSurvey({ words, options, scene, span }: Invocation): void {
  const writes = words.some((word) =>
    /^(?:-w|-i|-o|--(?:write|out|report-file|fix|in-?place|output|install|update|ignore-list).*|sync|init)$/.test(
      beginningOf(word),
    ),
  );
  for (const word of options.operands) touchRead(scene, word, 'tree');
  if (!writes) return;
  scene.report.raise('warning', 'formats', 'writes a report, or what it corrects', span);
  scene.report.effect(WRITES_UNKNOWN);
}

function judgeTable({ words, options, scene, span }: Invocation): void {
  const texts = words.map((word) => beginningOf(word));
  const writes = texts.some(
    (text) =>
      /^(?:-I|-o|--output|-f|--from|split|partition|tee|case|nothing|index)$|^--prepipe/.test(text) ||
      inOrder(text, /\b(?:system|exec|tee|emit|print|dump)\b/, /[(>|]/),
  );
  for (const word of options.operands) touchRead(scene, word);
  if (!writes) return;
  scene.report.raise('warning', 'writes-file', 'writes files, or runs a script of its own', span);
  scene.report.effect(WRITES_UNKNOWN);
}
