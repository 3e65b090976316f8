import { hasOption, valueOf } from '../../options.ts';
import { definePrograms, named, type Invocation, type ProgramRules, WRITES_UNKNOWN } from '../../program.ts';
import { touchWrite } from '../../paths/touch.ts';
import { beginningOf, textOf } from '../../word.ts';

const OUTPUT_ONLY = { safe: ['md5sum a.txt', 'sha256sum -c sums.txt'] };

/** Programs that print the content of files. */
export const readFiles = definePrograms(
  {
    names: ['cat', 'tac'],
    options:
      '-AbeEnstTuvrs --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --before --regex --separator=',
    operands: 'read',
    anyOption: 'harmless',
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
    anyOption: 'harmless',
    examples: { safe: ['head -40 a.txt', 'tail -n +5 a.txt', 'tail -f app.log', 'head -c 100 a'] },
  },
  ...reads({
    wc: '-clmLw --bytes --chars --lines --words --max-line-length --total= --files0-from=names --debug',
    nl: '-p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w: --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=',
    fold: '-# -bsc -w: --bytes --spaces --characters --width=',
    fmt: '-# -cstu -p: -w: -g: --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= --goal=',
    expand: '-# -i -t: --initial --tabs=',
    unexpand: '-# -a -t: --all --first-only --tabs=',
    rev: '-0 --zero',
    tsort: '-w',
    look: '-adfb -t: --alternative --alphanum --ignore-case --binary --terminate=',
    paste: '-sz -d: --serial --delimiters= --zero-terminated',
    join: '-iz -a: -e: -j: -o: -t: -v: -1: -2: --ignore-case --check-order --nocheck-order --header --zero-terminated',
    comm: '-123zi --check-order --nocheck-order --output-delimiter= --total --zero-terminated',
    cut: '-snzw -b: -c: -d: -f: --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated',
    column:
      '-tdemLJx -n: -O: -C: -N: -l: -E: -H: -R: -T: -W: -r: -i: -p: -c: -o: -s: --table --table-name= --table-order= --table-column= --table-columns= --table-columns-limit= --table-noextreme= --table-noheadings --table-maxout --table-header-repeat --table-hide= --table-right= --table-truncate= --table-wrap= --keep-empty-lines --json --tree= --tree-id= --tree-parent= --output-width= --output-separator= --separator= --fillrows',
    pr: '-# -acdFfJmrtTv -D: -e? -h: -i? -l: -n? -N: -o: -s? -S? -w: -W: --across --show-control-chars --double-space --date-format= --expand-tabs? --form-feed --header= --output-tabs? --join-lines --length= --merge --number-lines? --first-line-number= --indent= --no-file-warnings --separator? --sep-string? --omit-header --omit-pagination --show-nonprinting --width= --page-width= --columns= --pages=',
  }),
  {
    names: ['uniq'],
    options:
      '-cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= --zero-terminated --all-repeated? --group?',
    operands: ['read', 'write'],
    anyOption: 'harmless',
    examples: { safe: ['uniq -c', 'uniq a.txt'], warning: ['uniq a.txt b.txt'] },
  },
  {
    names: ['sort'],
    options:
      '-bdfgiMhnRrVcCmsuz -k: -t: -S: -T: -o:write --output=write --key= --field-separator= --buffer-size= --temporary-directory= --parallel= --batch-size= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check? --merge --stable --unique --zero-terminated --debug --files0-from=names --random-source=read --compress-program=program',
    operands: 'read',
    judge: ({ options, context }) => {
      // The folder for data that does not fit into memory: any temporary folder is fine.
      const folder = valueOf(options, '-T', '--temporary-directory');
      if (folder !== undefined && !/^\/(?:var\/)?tmp(?:\/|$)/.test(textOf(folder) ?? ''))
        touchWrite(context, folder, { scope: 'tree' });
    },
    examples: {
      safe: ['sort -T /tmp a.txt', 'sort a.txt', 'sort -t, -k2,2n t.csv', 'sort -rn | head'],
      warning: [
        'sort -o out.txt in.txt',
        'sort in.txt -oout.txt',
        'sort --outp=x in',
        'sort $args',
        'sort --compress-program=./x a',
        'sort --co=./x a',
      ],
      blocked: ['sort -o /etc/passwd a', 'sort -T /etc a'],
    },
  },
  {
    names: ['tr', 'seq', 'yes', 'factor', 'numfmt'],
    options:
      '-# -cCdstw -f: -s: -w --complement --delete --squeeze-repeats --truncate-set1 --equal-width --separator= --format= --from= --to= --field= --suffix= --padding= --header? --invalid= --round= --delimiter= -d: --grouping',
    anyOption: 'harmless',
    examples: { safe: ['tr a-z A-Z', "tr -d '\\n'", 'seq 1 10', 'numfmt --to=iec 100000'] },
  },
  {
    names: ['xxd'],
    options: '-# -abCdeEiprRuv -c: -g: -l: -n: -o: -s:',
    operands: ['read', 'write'],
    anyOption: 'harmless',
    judge: decodesWith('-r'),
    examples: { safe: ['xxd a', 'xxd -l 16 a'], warning: ['xxd a b'], blocked: ['xxd -r -p a | sh'] },
  },
  {
    names: ['base64', 'base32', 'basenc'],
    options:
      '-dDi -w: -b: -o:write --decode --ignore-garbage --wrap= --base64 --base32 --base16 --base64url --input=read --output=write',
    operands: 'read',
    judge: decodesWith('-d', '-D', '--decode'),
    examples: {
      safe: ['base64 a.png', 'base64 -d a.b64'],
      dangerous: ['base64 -i .env'],
      warning: ['base64 -d a -o b'],
      blocked: ['base64 -d a | sh'],
    },
  },
  {
    names: named('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5'),
    options:
      '-bctwza -a: -l: --algorithm= --binary --text --check --tag --zero --ignore-missing --quiet --status --strict --warn --length= --raw --base64 --untagged',
    operands: 'read',
    anyOption: 'harmless',
    examples: OUTPUT_ONLY,
  },
  {
    names: ['iconv'],
    options: '-cls -f: -t: -o:write --from-code= --to-code= --list --silent --output=write --verbose',
    operands: 'read',
    judge: ({ context }) => {
      context.report.sources.decoded += 1;
    },
    examples: { safe: ['iconv -f latin1 -t utf-8 a.txt'], warning: ['iconv -o b a'] },
  },
  {
    names: ['uudecode'],
    options: '-cips -o:write --output-file=write',
    operands: 'read',
    judge: ({ options, context, span }) => {
      context.report.sources.decoded += 1;
      if (hasOption(options, '-p', '-o', '--output-file')) return;
      context.report.raise('warning', 'writes-file', { text: 'writes the file named in its input', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['uudecode -o /dev/stdout a.uu'],
      warning: ['uudecode a.uu', 'uudecode -o b a.uu'],
      blocked: ['uudecode -o /dev/stdout a.uu | sh'],
    },
  },
);

/** The input of a plain `cat` is its output. */
function passThrough({ options, context }: Invocation): void {
  const { text } = context.state.stdin;
  const isPlain = options.given.length === 0 && options.operands.every((word) => textOf(word) === '-');
  if (isPlain && text !== undefined) context.walk.printed(text);
  for (const word of options.operands) {
    if (beginningOf(word).startsWith('/dev/tcp/')) context.report.effect({ kind: 'network' });
  }
}

function decodesWith(...flags: readonly string[]): (invocation: Invocation) => void {
  return ({ options, context }) => {
    if (hasOption(options, ...flags)) context.report.sources.decoded += 1;
  };
}

/** Programs that only read: each has its own options, since a flag taken for an option with a value hides a file. */
export function reads(programs: Readonly<Record<string, string>>): readonly ProgramRules[] {
  return Object.entries(programs).map(([name, options]) => ({
    names: [name],
    options,
    operands: 'read',
    anyOption: 'harmless' as const,
    examples: { safe: [`${name} a.txt`], dangerous: [`${name} .env`] },
  }));
}
