import { assignTo, evaluateName } from '../../expansion/evaluate.ts';
import { definePrograms, type Invocation } from '../../program.ts';
import { forgetVariables, UNKNOWN_VARIABLE } from '../../state.ts';
import { after, beginningOf, isDataOption, mixOrigins, show, textOf } from '../../word.ts';
import { originOf } from '../../paths/named-secrets.ts';

/** Programs that print their arguments: the output is known, and may be run after a pipe. */
export const print = definePrograms({
  names: ['echo', 'printf'],
  unknownOptions: 'any',
  anyOption: 'harmless',
  judge: judgePrinting,
  examples: {
    safe: ['echo hi', 'echo -n "$x"', "printf '%s\\n' a b", 'echo "sudo rm -rf /"'],
    warning: ['printf -v x %s a', 'echo x > a'],
    dangerous: ["printf -v 'a[$(id)]' x", 'printf -v PATH %s ./x', 'echo $GITHUB_TOKEN'],
  },
});

/** `printf -v` assigns, and evaluates a subscript. */
function judgePrinting({ program, words, context }: Invocation): void {
  const [flag, next] = words;
  // `printf "$(cat f)"`: the text may begin with `-v`.
  if (program === 'printf' && flag !== undefined && isDataOption(flag)) {
    context.report.raise('warning', 'dynamic-name', {
      text: `may set a variable: ${show(flag)}`,
      span: flag.span,
    });
    forgetVariables(context.state);
  }
  if (program === 'printf' && flag !== undefined && beginningOf(flag).startsWith('-v')) {
    const target = textOf(flag) === '-v' ? (next ?? flag) : after(flag, 2);
    context.report.raise('warning', 'sets-variable', { text: `sets ${show(target)}`, span: flag.span });
    evaluateName(target, context, { unknown: 'dangerous' });
    const name = /^[A-Za-z_]\w*/.exec(beginningOf(target))?.[0];
    if (name === undefined || target.kind === 'dynamic') forgetVariables(context.state);
    const origin = mixOrigins(...words.map((word) => originOf(word)));
    if (name !== undefined) assignTo(name, { ...UNKNOWN_VARIABLE, origin }, { span: flag.span, context });
    return;
  }
  for (const { origin } of words) {
    if (origin.network) context.report.sources.network += 1;
    if (origin.decoded) context.report.sources.decoded += 1;
  }
  const texts = words.map((word) => textOf(word));
  const known = texts.filter((text) => text !== undefined);
  // Letters written as numbers hide the text.
  if (
    known.some((text) =>
      /\\(?:x[0-9a-f]{2}|0?[0-7]{3}|u[0-9a-f]{4})/i.test(text.replaceAll(/\\(?:x1b|033|x00|0)/gi, '')),
    )
  )
    context.report.sources.decoded += 1;
  if (known.length === texts.length) context.walk.printed(printedText(program, known));
}

/** Accurate enough to judge what a shell after a pipe would run. */
function printedText(program: string, texts: readonly string[]): string {
  let at = 0;
  if (program === 'echo') {
    while (/^-[neE]+$/.test(texts[at] ?? '')) at += 1;
    const text = texts.slice(at).join(' ');
    return at > 0 ? unescape(text) : text;
  }
  const [format = '', ...args] = texts[0] === '--' ? texts.slice(1) : texts;
  const filled = format.replaceAll(/%(?:%|-?\d*(?:\.\d+)?[a-zA-Z])/g, (one) => {
    if (one === '%%') return '%';
    at += 1;
    return args[at - 1] ?? '';
  });
  return unescape([filled, ...args.slice(at)].join(' '));
}

function unescape(text: string): string {
  return text.replaceAll(/\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([nrt\\]))/g, (_, octal, hex, letter) => {
    if (typeof octal === 'string') return String.fromCodePoint(Number.parseInt(octal, 8) & 0xff);
    if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
    return { n: '\n', r: '\r', t: '\t' }[String(letter)] ?? '\\';
  });
}
