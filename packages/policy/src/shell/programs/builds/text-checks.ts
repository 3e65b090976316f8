import { inOrder } from '../../in-order.ts';
import { definePrograms, named, type Invocation, NETWORK, WRITES_UNKNOWN } from '../../program.ts';
import { fetches } from '../network/fetches.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { hasOption, type Options, valueOf } from '../../options.ts';
import { beginningOf, textOf } from '../../word.ts';
import { loadsModules, valuesOf } from '../node/loads-modules.ts';

/** Programs that survey or tidy text: count it, check its spelling, shuffle its lines, change their endings. */
export const textChecks = definePrograms(
  {
    names: named('tokei cloc scc typos cspell codespell misspell vale proselint alex dust'),
    options:
      '-# -hvqVwisfdDerpanbPF -c: -t: -e: -x: -S: -L: -I: -l: -o: -n: -O: -m: -d: --files --sort= --rsort= --output= --types= --type= --exclude= --hidden --no-ignore --compact --languages --verbose --quiet --help --version --by-file --by-file-by-lang --exclude-dir= --exclude-lang= --exclude-ext= --include-lang= --include-ext= --vcs= --git --json --yaml --csv --md --xml --hide-rate --progress-rate= --timeout= --skip-uniqueness --fullpath --match-d= --match-f= --not-match-d= --not-match-f= --force-lang= --wide --no-complexity --no-cocomo --no-duplicates --format= --write-changes --write --report-file=write --out=write --config= --diff --files-with-matches --no-check-filenames --no-check-files --locale= --skip= --ignore-words-list= --ignore-words= --check-filenames --check-hidden --quiet-level= --builtin= --count --context= --interactive= --dictionary= --no-progress --no-summary --words-only --unique --show-context --show-suggestions --dot --no-must-find-files --gitignore --cache --locale= --language-id= --glob= --minAlertLevel= --no-exit --ext= --filter= --html --text --mdx --why --stdin --depth= --apparent-size --reverse --no-percent-bars --only-dir --only-file -C --no-colors --color= --force-exclude --sort --in-place --uncover --fix',
    judge: judgeSurvey,
    examples: {
      safe: ['tokei', 'tokei -o json', 'cloc src', 'codespell docs', 'typos'],
      warning: [
        'cspell -c ./x.cjs .',
        'cspell link add x',
        'cloc --config=x .',
        'scc -o x.txt',
        'codespell -w docs',
        'codespell -wi 3 docs',
        "cloc --vcs='./x' .",
        'typos --write-changes',
        'cloc --out=x.txt src',
      ],
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
    judge: ({ options, context, span }) => {
      for (const word of options.operands) {
        touchRead(context, word);
        if (!options.given.some(({ name }) => name === '-i' || name === '--info')) touchWrite(context, word);
      }
      context.report.raise('safe', 'edits-in-place', { text: 'changes line endings', span });
    },
    examples: { safe: ['dos2unix -i a.txt'], warning: ['dos2unix a.txt', 'unix2dos -k a b'] },
  },
  {
    names: ['mlr', 'miller'],
    unknownOptions: 'any',
    judge: judgeMiller,
    examples: {
      safe: ['mlr --icsv --ojson cat a.csv', "mlr --csv filter '$x > 1' a.csv", 'mlr --c2p sort -nr x a.csv'],
      warning: [
        'mlr -I --csv sort -f a a.csv',
        "mlr --csv put 'tee > $a, $*' a",
        'mlr --csv split -n 2 a.csv',
        'mlr --icsv cat https://x.example/a.csv',
        'mlr --prepipe ./x cat a',
        'mlr --load ./x --csv head a',
      ],
      dangerous: ["mlr -n put 'end{system(1)}'"],
    },
  },
  {
    names: ['xsv', 'qsv', 'xan'],
    options:
      '-# -nhirsu -d: -c: -o:write -l: --delimiter= --no-headers --output=write --select= --limit= --help --version --everything --json --ignore-case --numeric --reverse --index= --start= --end= --len= --jobs= --memory',
    judge: ({ options, context, span }) => {
      const verb = textOf(options.operands[0]) ?? '';
      for (const word of options.operands.slice(1)) touchRead(context, word);
      if (
        /^(?:cat|count|fixlengths|flatten|fmt|frequency|headers|help|input|join|reverse|sample|search|select|slice|sort|stats|table|view|)$/.test(
          verb,
        )
      )
        return;
      context.report.raise('warning', 'writes-file', {
        text: 'writes files or runs a script',
        span,
      });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['xsv headers a.csv', 'qsv stats a.csv'],
      warning: ['xsv split out a.csv', 'qsv foreach x ./y a.csv', 'xsv index a.csv'],
    },
  },
  {
    names: named(
      'csvcut csvgrep csvlook csvsort csvstat csvjoin csvstack csvformat csvjson gron ungron fx jc htmlq pup xidel dasel',
    ),
    options:
      '-# -hlHSKzvuaixnsrV -d: -t -q: -b -p: -e: -c: -C: -m: -f:read -g: -k: -j -w -L: -A -D: -i: --delimiter= --tabs --quotechar= --no-header-row --columns= --not-columns= --names --regex= --match= --invert-match --max-rows= --max-columns= --max-column-width= --no-inference --reverse --encoding= --linenumbers --zero --version --help --csv --json --count --unique --freq --mean --max --min --stream --values --ungron --sort --no-sort --monochrome --indent= --raw-output --pretty --attribute= --text --read= --write= --plain --color',
    judge: ({ program, options, words, context, span }) => {
      for (const word of options.operands) touchRead(context, word);
      const texts = options.operands.map((word) => textOf(word) ?? '?');
      fetches(options.operands, context);
      // The words after the file are JavaScript, or a command whose output is read.
      const runs =
        (program === 'xidel' &&
          words.some((word) =>
            /\b(?:system|file|read|doc|json|eval|request)\w*\s*[(:]/.test(beginningOf(word)),
          )) ||
        (program === 'fx' && texts.slice(1).some((text) => !/^[.\w[\]]*$/.test(text))) ||
        program === 'jc' ||
        program === 'dasel';
      if (!runs) return;
      context.report.raise('warning', 'unknown-script', {
        text: "runs an expression that isn't analysed",
        span,
      });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['csvlook a.csv', 'gron a.json', 'fx a.json .b'],
      warning: [`xidel a.html -e 'system("id")'`, 'gron https://x.example', "fx a.json 'x => x.y()'"],
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
    judge: ({ program, words, context, span }) => {
      const dry = words.some((word) => /^(?:--dry-run|--snapshot|check|status)$/.test(textOf(word) ?? ''));
      const local = program === 'changeset' && textOf(words[0]) !== 'publish';
      const level = dry || local ? 'warning' : 'dangerous';
      context.report.raise(level, 'publishes', { text: 'builds or publishes a release', span });
      context.report.effect(WRITES_UNKNOWN);
      context.report.effect(NETWORK);
    },
    examples: {
      warning: ['changeset', 'semantic-release --dry-run', 'goreleaser check'],
      dangerous: ['semantic-release', 'np', 'fastlane beta', 'changeset publish', 'goreleaser release'],
    },
  },
);

function judgeSurvey({ program, words, options, context, span }: Invocation): void {
  loadsModules(valuesOf(options, '-c --config'), context);
  // Settings of `cloc` are options, and some of those start programs.
  const unusual =
    (program === 'cloc' && (hasOption(options, '--config') || startsProgram(options))) ||
    (program === 'cspell' && textOf(options.operands[0]) === 'link');
  if (unusual) context.report.raise('warning', 'unknown-option', { text: 'scans with other settings', span });
  const output = valueOf(options, '-o');
  // For tokei it names the format.
  if (output !== undefined && program !== 'tokei') touchWrite(context, output);
  // For these `-w` writes, in a bundle too; for others it is only a wide table.
  const corrects =
    /^(?:codespell|misspell|typos)$/.test(program) && hasOption(options, '-w', '--write', '--write-changes');
  const writes =
    corrects ||
    words.some((word) =>
      /^(?:-w|--(?:write|out=|report-file|fix|in-?place|install|update).*|sync|init)$/.test(
        beginningOf(word),
      ),
    );
  for (const word of options.operands) touchRead(context, word, { scope: 'tree' });
  if (!writes) return;
  context.report.raise('warning', 'formats', { text: 'writes a report or corrections', span });
  context.report.effect(WRITES_UNKNOWN);
}

/** `cloc --vcs='cmd'`: any value other than a version control system is a command that lists files. */
function startsProgram(options: Options): boolean {
  return valuesOf(options, '--vcs').some((word) => !/^(?:git|svn|auto)$/.test(textOf(word) ?? ''));
}

/** Verbs of a Miller script that start programs or write files, when they have an argument. */
const ACTS = /\b(?:system|exec|os_type|tee|emit\w*|print\w*|dump|split)\b/;

/** The argument of `put` and `filter` is a language of its own; `tee`, `split` and `-I` write. */
function judgeMiller({ words, options, context, span }: Invocation): void {
  const writes = words.some((word) => {
    const text = textOf(word) ?? '-I';
    return (
      /^(?:-I|-f|-s|split|split-lines|tee|case|summary-to|--(?:prepipe|load|mload|ofile|from-file).*)$/.test(
        text,
      ) || text.split(/[;}]/).some((part) => inOrder(part, ACTS, /[(>|]/))
    );
  });
  const sorts = words.some((word) =>
    /^(?:sort|top|cut|nest|merge-fields|stats1|stats2|count-distinct|step|join|head|tail|having-fields|reorder|rename|template|unsparsify|fill-down|uniq|count-values|fraction|histogram)$/.test(
      textOf(word) ?? '',
    ),
  );
  for (const word of options.operands) touchRead(context, word);
  fetches(options.operands, context);
  if (
    !writes ||
    (sorts &&
      !words.some((word) =>
        /^(?:-I|-s|put|filter|split|tee|--(?:prepipe|load|mload).*)$/.test(textOf(word) ?? ''),
      ))
  )
    return;
  const starts = words.some((word) => /\b(?:system|exec)\s*\(/.test(textOf(word) ?? ''));
  if (starts)
    context.report.raise('dangerous', 'starts-program', { text: 'starts a program from mlr', span });
  context.report.raise('warning', 'writes-file', { text: 'writes files or runs a script', span });
  context.report.effect(WRITES_UNKNOWN);
}
