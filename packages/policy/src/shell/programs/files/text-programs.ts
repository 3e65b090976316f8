import { hasOption, valueOf } from '../../options.ts';
import { definePrograms, type Invocation, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { isSecretVariable } from '../../expansion/variables.ts';
import { literal, textOf, textsOf, withEnding, type Word } from '../../word.ts';
import { judgeHiddenText } from '../../hidden-text.ts';
import { readAwkScript } from './awk-script.ts';
import { readSedScript } from './sed-script.ts';

/** Programs with a small language of their own. */
export const textPrograms = definePrograms(
  {
    names: ['sed', 'gsed'],
    options:
      '-nErsuz -e: -f:read -i? -I: -l: -b --quiet --silent --expression= --file=read --in-place? --line-length= --regexp-extended --null-data --separate --unbuffered --debug --posix --sandbox --follow-symlinks --binary --zero-terminated',
    judge: judgeSed,
    examples: {
      safe: [
        "sed -n '1,20p' a.ts",
        "sed 's/a/b/g' x",
        "sed -n '/reboot/p' x.log",
        "sed -E 's|w|e|' x",
        "sed -e '/a/d' -e '2q' x",
      ],
      warning: [
        "sed -i 's/a/b/' x.ts",
        'sed -ni.bak p x',
        "sed 'w out.txt' x",
        "sed 's/a/b/w out.txt' x",
        'sed "$script" x',
        'sed -f x.sed a',
      ],
      dangerous: ["sed '1e id' x", "sed 's/a/id/e' x", "sed --in-p 's/a/b/' .env"],
    },
  },
  {
    names: ['awk', 'gawk', 'mawk', 'nawk'],
    options:
      '-F: -v: -f:read -bcCghIkMnNOPrsSt -E:read -i:program -l:program -e: -o? -p? -d? -D? -L? -W: --field-separator= --assign= --file=read --source= --posix --sandbox --re-interval --csv --characters-as-bytes --traditional --exec=read --include=program --load=program --pretty-print? --profile? --dump-variables? --lint? --optimize --bignum',
    raises: [
      {
        when: '-f --file -E --exec -W -D',
        level: 'warning',
        code: 'unknown-script',
        text: 'runs an awk program from a file or with other options',
        effects: [WRITES_UNKNOWN],
      },
    ],
    judge: judgeAwk,
    examples: {
      safe: [
        "awk '{print $1}' a",
        "awk -F: '$3 > 10 || /a|b/ {print $1, $2}' t.csv",
        "awk 'BEGIN { if (x > y) print x }'",
        "awk '{ print ($1 + $2) / 2 }' a",
      ],
      warning: [
        'awk \'{print > "out.txt"}\' a',
        'awk -f x.awk a',
        'mawk -W exec x.awk',
        'cat x.awk | awk -f - a',
        'awk "$p" a',
        "awk '{print >$1}' a",
      ],
      dangerous: [
        'awk \'BEGIN{system("./y")}\'',
        'awk \'{print | "sh"}\' a',
        'awk \'BEGIN{"id" | getline x}\'',
        `awk 'BEGIN{print /"/; system("id"); print /"/}'`,
        `awk -f - <<< 'BEGIN{system("id")}'`,
        `awk 'BEGIN{x++ /2; system("id"); y/ 3}'`,
      ],
      blocked: ['awk \'{print > "/etc/x"}\' a'],
    },
  },
  {
    names: ['jq', 'gojq', 'jaq'],
    options:
      '-acCeeijMnrRsSv -f:read -L: --arg --argjson --args --jsonargs --slurpfile --rawfile --compact-output --raw-output --raw-input --null-input --slurp --sort-keys --color-output --monochrome-output --ascii-output --join-output --exit-status --tab --indent= --stream --seq --from-file=read --unbuffered --raw-output0 --yaml-input --yaml-output',
    anyOption: 'harmless',
    judge: judgeJq,
    examples: {
      safe: ["jq '.a' x.json", "jq -r '.scripts | keys[]' package.json", "jq --arg a b '.x' f"],
      warning: ["jq 'env' x", "jq -n '$ENV'"],
    },
  },
  {
    names: ['yq', 'xq', 'tomlq'],
    options:
      '-aceCMnNPrRSvV -i -I: -o: -p: -y -Y --inplace --in-place --output-format= --input-format= --indent= --prettyPrint --raw-output --null-input --unwrapScalar? --exit-status --no-colors --colors --from-file=read',
    judge: ({ options, context, span }) => {
      for (const word of options.operands) judgeYq(word, context, span);
      const inPlace = hasOption(options, '-i', '--inplace', '--in-place');
      const files = options.operands
        .slice(1)
        .filter((word) => !/^(?:eval|e|ea|eval-all)$/.test(textOf(word) ?? ''));
      for (const word of files) {
        touchRead(context, word);
        if (inPlace) touchWrite(context, word);
      }
      // Without an expression the only operand is the file.
      if (inPlace && files.length === 0) {
        context.report.raise('warning', 'edits-in-place', { text: 'edits a file in place', span });
        context.report.effect(WRITES_UNKNOWN);
      }
    },
    examples: {
      safe: ["yq '.a' x.yaml", "yq '.a.load' x.yaml"],
      warning: ["yq -i '.a = 1' x.yaml", "yq -s '.a' x.yaml", 'yq -P -i x.yaml', "yq -n 'strenv(HOME)'"],
      dangerous: [`yq -n 'load_str(".env")'`, "yq -n 'strenv(API_KEY)'"],
    },
  },
  {
    names: ['envsubst'],
    options: '-v --variables',
    judge: ({ context, span }) => {
      const names = context.state.stdin.text?.match(/(?<=\$\{?)\w+/g) ?? [];
      if (names.some((name) => isSecretVariable(name)))
        context.report.raise('dangerous', 'secret-variable', {
          text: 'prints a secret from the environment',
          span,
        });
    },
    examples: { safe: ['envsubst'], dangerous: ["envsubst <<< '$GITHUB_TOKEN'"] },
  },
);

function judgeSed({ options, context, span }: Invocation): void {
  const given = options.given.filter(({ name }) => name === '-e' || name === '--expression');
  const fromFile = hasOption(options, '-f', '--file');
  const [first, ...rest] = options.operands;
  const inline = given.length > 0 || fromFile;
  const scripts = inline ? given.map(({ value }) => value) : [first];
  const files = inline ? options.operands : rest;
  const isInput = options.given.some(
    ({ name, value }) => /^(?:-f|--file)$/.test(name) && /^(?:-|\/dev\/stdin)$/.test(textOf(value) ?? ''),
  );
  if (isInput) judgeSedScript(inputAsWord(context, span), context);
  else if (fromFile) unknownScript(context, 'runs a sed script from a file', span);
  for (const script of scripts) if (script !== undefined) judgeSedScript(script, context);
  const inPlace = options.given.find(({ name }) => name === '-i' || name === '--in-place' || name === '-I');
  for (const file of files) {
    // `sed -i '' …` is the form of other systems; here it names no file.
    if (textOf(file) === '') continue;
    touchRead(context, file);
    if (inPlace === undefined) continue;
    touchWrite(context, file);
    const suffix = textOf(inPlace.value) ?? '';
    if (suffix === '') continue;
    touchWrite(context, suffix.includes('*') ? backupOf(file, suffix) : withEnding(file, suffix));
  }
  if (inPlace !== undefined)
    context.report.raise('warning', 'edits-in-place', { text: 'edits files in place', span });
}

/** `sed -i'bak/*'`: the name replaces the star, in the folder of the file or in that of the suffix. */
function backupOf(file: Word, suffix: string): Word {
  const path = textOf(file);
  if (path === undefined) return { ...file, kind: 'dynamic', beginning: '', splits: false };
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  const backup = suffix.replaceAll('*', name);
  return literal(suffix.includes('/') ? backup : folder + backup, file.span);
}

function judgeSedScript(word: Word, context: EvaluationContext): void {
  const texts = textsOf(word);
  if (texts === undefined)
    return unknownScript(context, "runs a sed script that can't be determined", word.span);
  for (const text of texts) judgeSedText(text, word, context);
}

function judgeSedText(text: string, word: Word, context: EvaluationContext): void {
  const { understood, executes, writes, reads } = readSedScript(text);
  if (executes) {
    judgeHiddenText(text, word.span, { context });
    context.report.raise('dangerous', 'starts-program', { text: 'runs a program from sed', span: word.span });
    context.report.effect(WRITES_UNKNOWN);
  } else if (!understood) unknownScript(context, 'runs a sed script with an unknown command', word.span);
  for (const path of writes) touchWrite(context, literal(path, word.span));
  for (const path of reads) touchRead(context, literal(path, word.span));
}

/** Files that gawk writes with an option, and their default names. */
const AWK_FILES: ReadonlyMap<string, string> = new Map([
  ['-o', 'awkprof.out'],
  ['--pretty-print', 'awkprof.out'],
  ['-p', 'awkprof.out'],
  ['--profile', 'awkprof.out'],
  ['-d', 'awkvars.out'],
  ['--dump-variables', 'awkvars.out'],
]);

function judgeAwk({ options, context, span }: Invocation): void {
  for (const { name, value } of options.given) {
    const usual = AWK_FILES.get(name);
    if (usual !== undefined) touchWrite(context, value ?? literal(usual, span));
  }
  const sources = options.given
    .filter(({ name }) => name === '-e' || name === '--source')
    .map(({ value }) => value);
  const fromFile = hasOption(options, '-f', '--file', '-E', '--exec');
  const [first, ...rest] = options.operands;
  const inline = sources.length > 0 || fromFile;
  for (const script of inline ? sources : [first]) if (script !== undefined) judgeAwkScript(script, context);
  const scriptFile = valueOf(options, '-f', '--file', '-E', '--exec');
  if (/^(?:-|\/dev\/stdin)$/.test(String(textOf(scriptFile))))
    judgeAwkScript(inputAsWord(context, span), context);
  for (const file of inline ? options.operands : rest) {
    if (!/^[A-Za-z_]\w*=/.test(textOf(file) ?? '')) touchRead(context, file);
  }
}

/** The input, at its position in the line. */
function inputAsWord({ state }: EvaluationContext, span: Word['span']): Word {
  const { text, origin } = state.stdin;
  if (text === undefined) return { kind: 'dynamic', beginning: '', splits: false, span, origin };
  return { kind: 'literal', text, span, origin };
}

function judgeAwkScript(word: Word, context: EvaluationContext): void {
  const text = textOf(word);
  if (text === undefined)
    return unknownScript(context, "runs an awk program that can't be determined", word.span);
  const { executes, writes, reads, writesUnknown, unusual } = readAwkScript(text);
  for (const path of reads) touchRead(context, literal(path, word.span));
  if (executes) {
    judgeHiddenText(text, word.span, { context });
    context.report.raise('dangerous', 'starts-program', { text: 'runs a program from awk', span: word.span });
    context.report.effect(WRITES_UNKNOWN);
  }
  for (const path of writes) touchWrite(context, literal(path, word.span));
  if (writesUnknown || unusual)
    unknownScript(context, 'runs an awk program that does more than print', word.span);
}

function judgeJq({ options, context }: Invocation): void {
  const takesTwo = hasOption(options, '--arg', '--argjson', '--slurpfile', '--rawfile');
  const [filter] = options.operands;
  const files = hasOption(options, '-f', '--from-file') ? options.operands : options.operands.slice(1);
  for (const word of options.operands) {
    if (/(?<![.\w"])env\b(?!")|\$ENV\b/.test(textOf(word) ?? '')) {
      context.report.raise('warning', 'shows-environment', {
        text: 'may print the environment',
        span: filter?.span,
      });
    }
  }
  if (valueOf(options, '-L') !== undefined)
    context.report.raise('warning', 'loads-module', { text: 'loads a module', span: filter?.span });
  for (const file of takesTwo ? options.operands : files) touchRead(context, file);
}

/** An expression of yq may read other files and the environment. */
function judgeYq(word: Word, context: EvaluationContext, span: Word['span']): void {
  const text = textOf(word) ?? '';
  for (const [, path = ''] of text.matchAll(/\bload\w*\(\s*"([^"]*)"/g))
    touchRead(context, literal(path, span));
  for (const [, name = ''] of text.matchAll(/\b(?:str)?env\(\s*(\w*)/g)) {
    const level = isSecretVariable(name) ? 'dangerous' : 'warning';
    context.report.raise(level, 'shows-environment', { text: 'may print the environment', span });
  }
}

function unknownScript(context: EvaluationContext, text: string, span: Word['span']): void {
  context.report.raise('warning', 'unknown-script', { text, span });
  context.report.effect(WRITES_UNKNOWN);
}
