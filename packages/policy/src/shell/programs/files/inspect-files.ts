import { hasOption } from '../../options.ts';
import { definePrograms, named, type Invocation, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, textOf } from '../../word.ts';
import { reads } from './read-files.ts';

const DIFFERENCE =
  '--brief --report-identical-files --context? --unified? --ed --normal --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --paginate --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from=read --starting-file= --from-file=read --to-file=read --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --minimal --horizon-lines= --speed-large-files --color? --palette=';

/** Programs that compare files, inspect binaries, or show a file page by page. */
export const inspectFiles = definePrograms(
  ...reads({
    cmp: '-bls -i: -n: --print-bytes --ignore-initial= --verbose --bytes= --silent --quiet',
    diff: `-# -abBdeEHilNnpPqrstTwyZv -c? -u? -C: -D: -F: -I: -L: -S: -U: -W: -x: -X:read ${DIFFERENCE}`,
    od: '-# -abcdfhilosvxBDHLOX -A: -j: -N: -S? -t: -w? --address-radix= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional --endian=',
    hexdump:
      '-bcCdovxX -e: -f:read -n: -s: -L? --one-byte-octal --one-byte-hex --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --format= --format-file=read --length= --skip= --no-squeezing --color?',
    hd: '-bcCdovxX -e: -f:read -n: -s: -L?',
    otool: '-afhlLDtxdorSTMHGvVcIjCP -p: -s:',
  }),
  ...reads({
    strings:
      '-# -afwo -n: -t: -e: -T: -s: -U: -d --all --data --print-file-name --bytes= --include-all-whitespace --radix= --encoding= --target= --unicode= --output-separator=',
    readelf:
      '-aAcdeghilnrsStuvVWwzTDIHLq -p: -R: -x: -j? -P -C? --all --file-header --program-headers --segments --section-headers --sections --section-groups --section-details --headers --syms --symbols --dyn-syms --demangle? --no-demangle --notes --relocs --unwind --dynamic --version-info --arch-specific --archive-index --hex-dump= --string-dump= --relocated-dump= --debug-dump? --wide --histogram --silent-truncation',
    nm: '-aABCDgjlnopPrsSuUvW -f: -t: -X: --demangle? --dynamic --defined-only --extern-only --format= --line-numbers --numeric-sort --no-sort --portability --print-armap --print-file-name --print-size --radix= --reverse-sort --size-sort --undefined-only --debug-syms --special-syms --quiet --no-weak',
    size: '-ABGdotx -f --format= --radix= --totals --common',
    objdump:
      '-aCdDefFgGhHilprRsStTvVwWxzZ -P: -b: -m: -j: -M: -E: --archive-headers --file-headers --section-headers --headers --all-headers --disassemble --disassemble-all --source --full-contents --syms --dynamic-syms --reloc --dynamic-reloc --section= --demangle? --no-show-raw-insn --start-address= --stop-address= --wide --line-numbers --visualize-jumps? --target= --architecture= --disassembler-options= --private-headers',
  }).map((program) => ({ ...program, anyOption: 'anything' as const, judge: readsOptions })),
  {
    names: ['sdiff', 'diff3'],
    options:
      '-abBdEHilstWZeAm3xXT -o:write -I: -w: -L: --output=write --diff-program=program --ignore-case --ignore-all-space --left-column --suppress-common-lines --width= --merge --show-all --easy-only --overlap-only --ed --text --label= --strip-trailing-cr --initial-tab --expand-tabs --minimal --speed-large-files',
    operands: 'read',
    examples: {
      safe: ['sdiff a b'],
      warning: ['sdiff -o x a b', 'sdiff --diff-program=./x a b'],
      dangerous: ['diff3 -x a .env b'],
    },
  },
  {
    names: ['file'],
    options:
      '-bcdEhiklLnNprsSvzZ0C -e: -f:names -F: -m:read -P: --brief --checking-printout --exclude= --exclude-quiet= --files-from=names --separator= --mime --mime-type --mime-encoding --apple --extension --dereference --no-dereference --keep-going --list --magic-file=read --no-buffer --no-pad --parameter= --preserve-date --print0 --raw --special-files --uncompress --uncompress-noreport --no-sandbox --debug --compile',
    operands: 'list',
    judge: ({ options, context, span }) => {
      if (!hasOption(options, '-C', '--compile')) return;
      context.report.raise('warning', 'writes-file', { text: 'compiles a magic file', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: { safe: ['file a.png', 'file -b --mime-type .env'], warning: ['file -C -m magic'] },
  },
  {
    names: ['less', 'more', 'most', 'pg'],
    options:
      '-# -aABcCdeEfFgGiIJKLmMnNqQrRsSuUwWXl -b: -D: -h: -j: -k:read -o:write -O:write -p: -P: -t: -T:read -x: -y: -z: --quit-if-one-screen --RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --LINE-NUMBERS --line-numbers --no-init --ignore-case --IGNORE-CASE --quit-at-eof --QUIT-AT-EOF --log-file=write --LOG-FILE=write --pattern= --tabs= --tilde --mouse --wheel-lines= --no-number-headers --header= --squeeze-blank-lines --shift= --follow-name --incsearch --use-color --hilite-search --quiet --silent --force --clear-screen --status-column --long-prompt --window= --file-size',
    operands: 'read',
    raises: [
      {
        when: '-k',
        level: 'dangerous',
        code: 'starts-program',
        text: 'reads pager keys and settings from a file, which can name programs',
        effects: [WRITES_UNKNOWN],
      },
    ],
    judge: judgePagerCommands,
    examples: {
      safe: ['less -R app.log', "less '+/a|b' app.log", 'less +G app.log'],
      warning: ['less -o x a'],
      dangerous: [
        "less '+!id' a",
        'less -r .env',
        'less -k x.keys a',
        "less '+:e .env' a",
        'less +v a',
        "less -p $'x\\n!id' a",
      ],
    },
  },
  {
    names: ['bat', 'batcat'],
    options:
      '-AdfFhnpPsSuV -H: -l: -m: -r: --language= --line-range= --plain --number --style= --color= --paging= --decorations= --theme= --theme-dark= --theme-light= --highlight-line= --show-all --nonprintable-notation= --binary= --wrap= --tabs= --terminal-width= --file-name= --diff --diff-context= --italic-text= --force-colorization --squeeze-blank --squeeze-limit= --strip-ansi= --list-themes --list-languages --unbuffered --map-syntax= --ignored-suffix= --no-config --no-pager --chop-long-lines --pager=shell',
    operands: 'read',
    examples: {
      safe: ['bat --paging=never a.ts', 'bat -pp a.ts'],
      warning: ["bat --pager='./x' a", 'bat cache --build --zz'],
      dangerous: ['bat -p .env'],
    },
  },
  {
    names: named('zcat bzcat xzcat zstdcat gzcat lz4cat zless zmore bzless xzless lzcat'),
    options:
      '-# -cdfhklLnNqQrtvVzeHRSFX -T: -M: --force --quiet --stdout --decompress --keep --list --test --verbose --recursive --no-name --name --threads=',
    operands: 'read',
    judge: decodes,
    examples: { safe: ['zcat a.gz'], dangerous: ["zless '+!id' a.gz", 'zcat -f .env'] },
  },
  {
    names: named('zgrep zegrep zfgrep bzgrep bzegrep xzgrep xzegrep zstdgrep lzgrep'),
    options:
      '-# -abcEFGhHiIlLnoPqrRsvwxyzZ -A: -B: -C: -e: -f:read -m: --regexp= --file=read --ignore-case --invert-match --word-regexp --line-regexp --count --color? --files-with-matches --files-without-match --max-count= --only-matching --quiet --no-messages --with-filename --no-filename --line-number --after-context= --before-context= --context= --text --fixed-strings --extended-regexp --perl-regexp',
    operands: 'read',
    judge: decodes,
    examples: { safe: ['zgrep -n x a.gz'], dangerous: ['zgrep x .env'] },
  },
);

/** `nm @x`: that file contains more options, and one of them loads code. */
function readsOptions({ words, context }: Invocation): void {
  for (const word of words) {
    if (!beginningOf(word).startsWith('@')) continue;
    context.report.raise('warning', 'unknown-option', { text: 'reads options from a file', span: word.span });
    context.report.effect(WRITES_UNKNOWN);
  }
}

function decodes(invocation: Invocation): void {
  invocation.context.report.sources.decoded += 1;
  judgePagerCommands(invocation);
}

/** `less '+!id'`: initial commands of a pager. */
function judgePagerCommands({ words, context }: Invocation): void {
  for (const word of words) {
    const text = textOf(word) ?? '';
    // The pattern of `-p` is typed as well, and the end of a line begins a command.
    if (/[\n\r]/.test(text) || (text.startsWith('+') && !/^\+{1,2}(?:\d*[gGF]?|[/?][^\n\r]*)$/.test(text)))
      context.report.raise('dangerous', 'starts-program', {
        text: 'runs a pager command',
        span: word.span,
      });
  }
}
