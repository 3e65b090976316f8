import type { Span } from '@signalbox/core';
import { inOrder } from './in-order.ts';
import type { EvaluationContext } from './program.ts';

const MORE_RIGHTS = /(?:\/usr\/bin\/|\/bin\/)?(?:sudo|doas|pkexec|su\s+-)(?=["'`\s,;)}\]]|$)/.source;

/** Text of a shell: a word anywhere may be a command. */
const IN_A_LINE = new RegExp(/(?:^|["'`\s;&|(!=/])/.source + MORE_RIGHTS);

/** Calls that start programs in the usual languages, right before the program's name: `system("sudo`, `run(["sudo`. */
const STARTING = [
  /(?:^|[\n;{])\s{0,40}/,
  /(?:system|exec\w{0,8}|spawn\w{0,8}|[pP]open\w{0,2}|run|call|check_(?:call|output)|get(?:status)?output|passthru|proc_open|cmd|Command(?:::new)?|start|capture\w{0,4}|ProcessBuilder)\s{0,4}[\s([{]{0,6}(?:\w{1,8}\s{0,2}[:=]\s{0,2}\[?)?[fbru]{0,2}["'`]\s{0,4}/,
  /(?:%x|qx)[({[/]\s{0,4}/,
  /\bopen\b[^()\n]{0,40}["'][|\s]{0,8}/,
];
const STARTED = new RegExp(
  `with administrator privileges|(?:${STARTING.map(({ source }) => source).join('|')})${MORE_RIGHTS}|["']${MORE_RIGHTS}[^"'\\n]{0,200}["']\\.execute`,
);

/** In these a backtick starts a program; elsewhere it is a quote. */
const BACKTICKS = /^(?:perl|ruby|php)[\d.]*$/;
const IN_BACKTICKS = new RegExp(`\`\\s{0,4}${MORE_RIGHTS}`);

/**
 * Program text of another language is not parsed, but obvious program starts in it are detected. Without a `program` it
 * is shell text.
 */
export function judgeHiddenText(
  text: string,
  span: Span,
  { context, program }: Readonly<{ context: EvaluationContext; program?: string }>,
): void {
  const isInBackticks = BACKTICKS.test(program ?? '') && IN_BACKTICKS.test(text);
  if (isInBackticks || (program === undefined ? IN_A_LINE : STARTED).test(text)) {
    context.report.raise('blocked', 'privilege', {
      text: 'starts a program with escalated privileges',
      span,
    });
    context.report.effect({ kind: 'privilege', program: 'sudo' });
  }
  if (text.split(';').some((part) => multiplies(part))) {
    context.report.raise('blocked', 'fork-bomb', {
      text: 'starts itself over and over (fork bomb)',
      span,
    });
  }
}

function multiplies(part: string): boolean {
  return (
    inOrder(part, /\bfork\b/, /\b(?:while|until)\b/) || inOrder(part, /\b(?:while|until|loop)\b/, /\bfork\b/)
  );
}
