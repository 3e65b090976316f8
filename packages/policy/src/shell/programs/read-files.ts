import { hasOption } from '../options.ts';
import { definePrograms, named, type Invocation } from '../program.ts';
import { beginningOf, textOf } from '../word.ts';

const OUTPUT_ONLY = { safe: ['md5sum a.txt', 'sha256sum -c sums.txt'] };

/** Programs that print what files hold. */
export const readFiles = definePrograms(
  {
    names: ['cat', 'tac'],
    options:
      '-AbeEnstTuvrs --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --before --regex --separator=',
    operands: 'read',
    judge: passThrough,
    examples: {
      safe: ['cat a.txt', 'cat -n src/a.ts src/b.ts'],
      dangerous: ['cat .env', 'cat ~/.ssh/id_ed25519'],
      warning: ['cat --frobnicate a'],
    },
  },
  {
    names: ['head', 'tail'],
    options:
      '-# -n: -c: -qvzfFr -s: --lines= --bytes= --quiet --silent --verbose --zero-terminated --follow? --retry --pid= --sleep-interval= --max-unchanged-stats=',
    operands: 'read',
    examples: { safe: ['head -40 a.txt', 'tail -n +5 a.txt', 'tail -f app.log', 'head -c 100 a'] },
  },
  {
    names: named('wc nl fold fmt expand unexpand rev paste join comm cut column pr tsort look'),
    options:
      '-# -clmwLabdefhiznpqrstu1235 -b: -c? -d: -f: -s: -w: -t: -i? -j: -v: -o: -l: -N: -1: -2: -a: -e: --bytes --chars --lines --words --max-line-length --total= --files0-from=read --fields= --delimiter= --characters= --complement --only-delimited --output-delimiter= --delimiters= --serial --width= --tabs= --initial --table --separator= --output-separator= --json --table-columns= --check-order --nocheck-order --header --zero-terminated --ignore-case --body-numbering= --number-format= --number-width= --spaces --first-only --split-only --uniform-spacing',
    operands: 'read',
    examples: {
      safe: ['wc -l a.txt', 'cut -d, -f1,3 t.csv', 'paste -sd+ a', 'comm -12 a b', 'fold -w 80 a'],
    },
  },
  {
    names: ['uniq'],
    options:
      '-cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= --zero-terminated --all-repeated? --group?',
    operands: ['read', 'write'],
    examples: { safe: ['uniq -c', 'uniq a.txt'], warning: ['uniq a.txt b.txt'] },
  },
  {
    names: ['sort'],
    options:
      '-bdfgiMhnRrVcCmsuz -k: -t: -S: -T: -o:write --output=write --key= --field-separator= --buffer-size= --temporary-directory= --parallel= --batch-size= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check? --merge --stable --unique --zero-terminated --debug --files0-from=read --random-source=read --compress-program=program',
    operands: 'read',
    examples: {
      safe: ['sort a.txt', 'sort -t, -k2,2n t.csv', 'sort -rn | head'],
      warning: [
        'sort -o out.txt in.txt',
        'sort in.txt -oout.txt',
        'sort --outp=x in',
        'sort $args',
        'sort --compress-program=./x a',
        'sort --co=./x a',
      ],
      blocked: ['sort -o /etc/passwd a'],
    },
  },
  {
    names: ['tr', 'seq', 'yes', 'factor', 'numfmt'],
    options:
      '-# -cCdstw -f: -s: -w --complement --delete --squeeze-repeats --truncate-set1 --equal-width --separator= --format= --from= --to= --field= --suffix= --padding= --header? --invalid= --round= --delimiter= -d: --grouping',
    examples: { safe: ['tr a-z A-Z', "tr -d '\\n'", 'seq 1 10', 'numfmt --to=iec 100000'] },
  },
  {
    names: ['od', 'hexdump', 'hd', 'strings'],
    options:
      '-abcdefhilnostvxBCDHLOX -A: -j: -N: -t: -w? -n: -s: -e: -o --address-radix= --skip-bytes= --read-bytes= --format= --strings? --width? --output-duplicates --all --bytes= --radix= --encoding= --length= --canonical --no-squeezing --skip=',
    operands: 'read',
    examples: { safe: ['od -c a', 'hexdump -C a', 'strings -n 8 a.out'] },
  },
  {
    names: ['xxd'],
    options: '-abeEiprRuv -c: -g: -l: -n: -o: -s:',
    operands: ['read', 'write'],
    judge: decodesWith('-r', '-p'),
    examples: { safe: ['xxd a', 'xxd -l 16 a'], warning: ['xxd a b'] },
  },
  {
    names: ['base64', 'base32', 'basenc'],
    options:
      '-dDi -w: -b: -o:write --decode --ignore-garbage --wrap= --base64 --base32 --base16 --base64url -i: --input=read --output=write',
    operands: 'read',
    judge: decodesWith('-d', '-D', '--decode'),
    examples: {
      safe: ['base64 a.png', 'base64 -d a.b64'],
      warning: ['base64 -d a -o b'],
      blocked: ['base64 -d a | sh'],
    },
  },
  {
    names: named('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5'),
    options:
      '-bctwza -a: -l: --algorithm= --binary --text --check --tag --zero --ignore-missing --quiet --status --strict --warn --length= --raw --base64 --untagged',
    operands: 'read',
    examples: OUTPUT_ONLY,
  },
  {
    names: ['cmp', 'diff', 'sdiff', 'diff3'],
    options:
      '-# -abBdeEfFiHlNnpPqrsStTuvwWyZcC -c? -C: -U: -x: -X:read -I: -F: -L: -W: -S: -n: -i: -o:write --output=write --brief --report-identical-files --context? --unified? --ed --normal --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --paginate --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --exclude= --exclude-from=read --starting-file= --from-file=read --to-file=read --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --line-format= --minimal --horizon-lines= --speed-large-files --color? --palette= --print-bytes --ignore-initial= --verbose --bytes= --silent --quiet',
    operands: 'read',
    examples: {
      safe: ['diff -u a b', 'diff -ru old new', 'cmp a b'],
      warning: ['sdiff -o x a b'],
      dangerous: ['diff .env .env.example'],
    },
  },
  {
    names: ['file', 'readelf', 'nm', 'size', 'objdump'],
    options:
      '-bhiklLnNprsvzZ0aASDCdtTuxX -e: -f:read -F: -m:read -P: -j: -M: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --all --headers --symbols --dynamic --sections --disassemble --demangle? --section=',
    operands: 'read',
    judge: ({ program, options, scene, span }) => {
      if (program !== 'file' || !hasOption(options, '-C')) return;
      scene.report.raise('warning', 'writes-file', 'compiles a file of magic numbers', span);
      scene.report.effect({ kind: 'write-unknown' });
    },
    examples: { safe: ['file a.png', 'nm -D lib.so'], warning: ['file -C -m magic'] },
  },
  {
    names: ['less', 'more', 'bat', 'batcat', 'most'],
    options:
      '-# -aAcdeEfFgGiIJKLmMnNqQrRsSuUwWXpPl -l: -p: -r: -H: --language= --line-range= --plain --number --style= --color= --paging= --decorations= --theme= --highlight-line= --show-all --wrap= --tabs= --quit-if-one-screen --RAW-CONTROL-CHARS --chop-long-lines --LINE-NUMBERS --no-init -o:write -O:write --log-file=write --pager=shell',
    operands: 'read',
    judge: judgePagerCommands,
    examples: {
      safe: ['less -R app.log', 'bat --paging=never a.ts'],
      warning: ["bat --pager='./x' a", 'less -o x a'],
      dangerous: ["less '+!id' a"],
    },
  },
  {
    names: named('zcat zgrep zegrep zfgrep bzcat bzgrep xzcat xzgrep zstdcat gzcat lz4cat zless'),
    options: '-# -cfhlLnoqrtvVeEFHisxwAB -e: -A: -B: -C: -m: --force --quiet',
    operands: 'read',
    judge: (invocation) => {
      invocation.scene.report.sources.decoded += 1;
      judgePagerCommands(invocation);
    },
    examples: { safe: ['zcat a.gz', 'zgrep -n x a.gz'], dangerous: ["zless '+!id' a.gz"] },
  },
  {
    names: ['iconv', 'uudecode'],
    options: '-clso -f: -t: -o:write --from-code= --to-code= --list --silent --output=write --verbose',
    operands: 'read',
    judge: ({ scene }) => {
      scene.report.sources.decoded += 1;
    },
    examples: { safe: ['iconv -f latin1 -t utf-8 a.txt'], warning: ['iconv -o b a'] },
  },
);

/** `less '+!id'`: what a pager is told to do when it starts. */
function judgePagerCommands({ words, scene }: Invocation): void {
  for (const word of words) {
    const text = textOf(word) ?? '';
    if (text.startsWith('+') && /[!|]/.test(text))
      scene.report.raise('dangerous', 'starts-program', 'runs a command of the pager', word.span);
  }
}

/** What goes through `cat` alone comes out unchanged. */
function passThrough({ options, scene }: Invocation): void {
  const { text } = scene.state.stdin;
  const isPlain = options.given.length === 0 && options.operands.every((word) => textOf(word) === '-');
  if (isPlain && text !== undefined) scene.walk.printed(text);
  for (const word of options.operands) {
    if (beginningOf(word).startsWith('/dev/tcp/')) scene.report.effect({ kind: 'network' });
  }
}

function decodesWith(...flags: readonly string[]): (invocation: Invocation) => void {
  return ({ options, scene }) => {
    if (hasOption(options, ...flags)) scene.report.sources.decoded += 1;
  };
}
