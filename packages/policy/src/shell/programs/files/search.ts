import { type Invocation, definePrograms, type EvaluationContext } from '../../program.ts';
import { hasOption, readOptions, tableOf } from '../../options.ts';
import { mayMatchSecret, secretIn } from '../../paths/path-words.ts';
import { judgeFind, placeOf, runFound } from './find.ts';
import { touchRead } from '../../paths/touch.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';

const FD =
  '-# -HIuspaglLq0i1F -d: -t: -e: -E: -S: -c: -j: -x -X --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --owner= --color= --threads= --max-results= --quiet --strip-cwd-prefix --base-directory=list --path-separator= --search-path=list --one-file-system --exec --exec-batch';

/** Programs that find files and lines. */
export const search = definePrograms(
  {
    names: ['grep', 'egrep', 'fgrep', 'rgrep', 'pcregrep'],
    options:
      '-# -abcEFGhHiIlLnoPqrRsTuUvVwxyzZ -A: -B: -C: -d: -D: -e: -f:read -m: --regexp= --file=read --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches --max-count= --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null --after-context= --before-context= --context= --group-separator= --no-group-separator --text --binary-files= --devices= --directories= --exclude= --exclude-from=read --exclude-dir= --include= --recursive --dereference-recursive --line-buffered --binary --null-data --extended-regexp --fixed-strings --basic-regexp --perl-regexp',
    anyOption: 'harmless',
    judge: readsAfterPattern(['-e', '--regexp', '-f', '--file']),
    examples: {
      safe: ['grep -rn foo src', "grep -E 'a|b' x", 'grep -A3 -B3 foo x'],
      dangerous: ['grep KEY .env'],
    },
  },
  {
    names: ['rg'],
    options:
      '-# -abcFhHiIlLnNopPqsSuUvVwxzQGk0j? -A: -B: -C: -d: -e: -f:read -g: -j: -m: -M: -r: -t: -T: -E: -p --pretty --regexp= --file=read --glob= --iglob= --type= --type-not= --type-list --type-add= --type-clear= --after-context= --before-context= --context= --max-count= --max-depth= --maxdepth= --max-columns= --max-filesize= --replace= --encoding= --engine= --sort= --sortr= --threads= --color= --colors= --column --no-column --count --count-matches --files --files-with-matches --files-without-match --fixed-strings --follow --hidden --no-hidden --heading --no-heading --ignore-case --case-sensitive --smart-case --invert-match --json --line-number --no-line-number --line-regexp --multiline --multiline-dotall --no-config --no-ignore --no-ignore-vcs --no-ignore-parent --no-messages --null --only-matching --passthru --pcre2 --quiet --search-zip --stats --text --trim --unrestricted --vimgrep --with-filename --no-filename --word-regexp --debug --trace --ignore-file=read --one-file-system --binary --crlf --mmap --no-mmap --path-separator= --context-separator= --hyperlink-format= --hostname-bin=program --pre=program --pre-glob= --pager=shell --nopager --auto-hybrid-regex --block-buffered --line-buffered --depth= --ignore= --literal --ts --js --py --go --rust --cc --json5',
    raises: [
      {
        when: '--pre --hostname-bin --pager',
        level: 'warning',
        code: 'starts-program',
        text: 'runs a program for every file',
      },
    ],
    judge: readsAfterPattern(['-e', '--regexp', '-f', '--file', '--files', '--type-list']),
    examples: {
      safe: ['rg foo', "rg -n --glob '*.ts' foo src", 'rg --files'],
      warning: ['rg --pre=./x foo', 'rg --pre ./x foo', 'rg "$p"'],
      dangerous: ['rg KEY .env'],
    },
  },
  {
    names: ['ag', 'ack'],
    options:
      '-# -acDfFhHiIklLnNoQrRsSuUvVwxz0 -A? -B? -C? -g -G: -m: -p:read --ackmate --after? --before? --context? --color --no-color --nocolor --column --count --depth= --files-with-matches --files-without-matches --filename --nofilename --no-filename --follow --group --no-group --nogroup --hidden --heading --noheading --no-heading --ignore= --ignore-dir= --ignore-directory= --ignore-file= --ignore-case --smart-case --case-sensitive --literal --max-count= --match= --no-recurse --recurse --null --numbers --nonumbers --only-matching --output= --parallel --passthrough --passthru --path-to-ignore=read --print-long-lines --print0 --search-binary --search-files --search-zip --silent --skip-vcs-ignores --sort-files --stats --unrestricted --vimgrep --width= --word-regexp --invert-match --line-match --type= --ts --js --py --python --go --rust --cc --cpp --java --ruby --html --css --json --help-types --list-file-types --pager=shell --nopager --noenv --show-types',
    judge: readsAfterPattern(['--match', '-f', '-g', '--help-types']),
    examples: {
      safe: ['ag foo src', "ack --ts 'a|b'"],
      warning: ["ag --pager='./x' foo"],
      dangerous: ['ag -r KEY .env', 'ack KEY .env'],
    },
  },
  {
    names: ['find', 'gfind'],
    unknownOptions: 'any',
    judge: judgeFind,
    examples: {
      safe: [
        "find . -name '*.ts'",
        'find src -type f -mtime -1 -print0',
        'find . \\( -name a -o -name b \\) -prune',
        "find . -name '*.md' -exec grep -l x {} +",
      ],
      warning: ['find . -fprint out.txt', 'find . -frobnicate', 'find . -exec ./y {} +', 'find "$d"'],
      dangerous: [
        'find lib -delete',
        "find . -name '*.js' -delete",
        "find . -type f -not -path './.git/*' -delete",
        'find . -exec rm -rf {} +',
        'find . -name x -execdir rm -r {} \\;',
        'find -files0-from .env',
        "find . -regex '.*\\.env' -exec cat {} +",
      ],
      blocked: ['find . -exec sudo id \\;'],
    },
  },
  {
    names: ['fd', 'fdfind'],
    options: FD,
    judge: ({ words, context }) => {
      // After a letter that takes a value comes that value: `-etsx`.
      const flag = words.find((word) => /^(?:-[^-eEtdSjc]*[xX]|--exec)/.test(textOf(word) ?? ''));
      if (flag === undefined) return;
      const rest = words.slice(words.indexOf(flag) + 1);
      if (words.some((word) => mayMatchSecret(textOf(word) ?? '')))
        context.report.raise('dangerous', 'finds-secrets', {
          text: 'searches for secret files and passes them to a program',
          span: flag.span,
        });
      const hasPlace = rest.some((word) => textOf(word)?.includes('{') === true);
      const [, ...folders] = readOptions(words.slice(0, words.indexOf(flag)), 'gnu', tableOf(FD)).operands;
      // By default it skips hidden files, including git's folder.
      const isHidden = words.some((word) =>
        /^-[a-zA-Z]*[HuI]|^--(?:hidden|unrestricted|no-ignore)/.test(beginningOf(word)),
      );
      const everywhere = isHidden || textOf(rest[0]) !== 'rm' ? '.' : undefined;
      const roots = folders.length === 0 ? [everywhere] : folders.map((word) => textOf(word));
      const [root] = roots.length === 1 ? roots : [undefined];
      runFound(hasPlace ? rest : [...rest, placeOf(flag, root)], roots, context);
    },
    examples: {
      safe: ['fd -e ts', 'fd -etsx', 'fd -H foo src'],
      dangerous: ['fd -x rm -rf', 'fd . -X rm -r {}', 'fd -H .env -x cat'],
      warning: ['fd -x touch'],
    },
  },
  {
    names: ['tree'],
    options:
      '-adfilxqrstupghDFvcUACSnNJXQ -L: -P: -I: -H: -T: -o:write --gitignore --dirsfirst --noreport --prune --filelimit= --charset= --filesfirst --du --si --sort= --matchdirs --ignore-case --fromfile --inodes --device --timefmt= --nolinks --info',
    operands: 'list',
    judge: ({ options, context }) => {
      // That file contains the names of the tree.
      if (hasOption(options, '--fromfile', '--fromtabfile'))
        for (const word of options.operands) touchRead(context, word);
    },
    examples: {
      safe: ['tree -L 2', "tree -I 'node_modules|dist'", 'tree --fromfile list.txt'],
      warning: ['tree -o out.txt'],
      dangerous: ['tree --fromfile .env'],
    },
  },
  {
    names: ['locate', 'mlocate', 'plocate'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    examples: { safe: ['locate foo'] },
  },
);

function readsAfterPattern(instead: readonly string[]): (invocation: Invocation) => void {
  return ({ program, options, context }) => {
    const files = hasOption(options, ...instead) ? options.operands : options.operands.slice(1);
    const isRecursive =
      /^(?:rg|ag|ack|rgrep)$/.test(program) ||
      hasOption(options, '-r', '-R', '--recursive', '--dereference-recursive');
    for (const word of files) touchRead(context, word, { scope: isRecursive ? 'tree' : 'file' });
    if (!hasOption(options, ...NAMES_ONLY))
      for (const { name, value } of options.given) looksInto(name, value, context);
  };
}

/** Options with which a search prints the names of files with a match, and not the line. */
const NAMES_ONLY = '-l -L -c -q --files --files-with-matches --files-without-match --count --quiet'.split(
  ' ',
);

/** `rg -g .env ''`, `grep -r --include=.env .`: it searches secrets. */
function looksInto(name: string, value: Word | undefined, context: EvaluationContext): void {
  const pattern = /^(?:-g|--glob|--iglob|--include)$/.test(name) ? textOf(value) : undefined;
  if (
    pattern === undefined ||
    pattern.startsWith('!') ||
    !(secretIn(pattern) !== undefined || mayMatchSecret(pattern))
  )
    return;
  context.report.raise('dangerous', 'reads-secret', { text: `reads secrets: ${pattern}`, span: value?.span });
}
