import { commandsOf, type SimpleCommand } from '@signalbox/policy';

/** Programs that write no file unless redirected. */
const OTHERS: ReadonlySet<string> = new Set(
  'cd echo printf true : pwd test [ ls cat head tail wc grep sleep'.split(' '),
);
/** Git commands that write nothing below `.git` but their own data. */
const KNOWN =
  /^(?:fetch|pull|status|log|show|rev-parse|checkout|switch|branch|merge|rebase|reset|stash|remote update|submodule update)$/;
const FETCHES = /^(?:fetch|pull|remote update|submodule update)$/;

/** Whether a shell line contains git fetch, and nothing else that may change where history begins (`.git/shallow`). */
export function isFetch(line: string): boolean {
  const read = commandsOf(line);
  if (read === null || !read.isPlain) return false;
  let isFetching = false;
  const bounded = new Set(
    read.commands.filter((command) => withoutTimeout(command) !== command).map(({ span }) => span),
  );
  const inner = read.inner.filter(({ span }) => !bounded.has(span));
  for (const { program, args } of [...read.commands.map(withoutTimeout), ...inner]) {
    if (program !== null && OTHERS.has(program)) continue;
    if (program !== 'git' || args.includes(null)) return false;
    const words = args[0] === '-C' ? args.slice(2) : args;
    const verb = /^(?:remote|submodule)$/.test(words[0] ?? '') ? `${words[0]} ${words[1]}` : (words[0] ?? '');
    if (!KNOWN.test(verb)) return false;
    isFetching ||= FETCHES.test(verb);
  }
  return isFetching;
}

/** Options that take no separate value. */
const OPTION = /^(?:-[vfp]+|--(?:foreground|preserve-status|verbose|(?:kill-after|signal)=[\w.]+))$/;
const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

/** Turns `timeout 60 git fetch` into `git fetch`; any other command stays as it is. */
function withoutTimeout(command: SimpleCommand): SimpleCommand {
  if (command.program !== 'timeout') return command;
  const at = command.args.findIndex((word) => word === null || !OPTION.test(word));
  const [duration, program, ...args] = command.args.slice(at);
  if (!DURATION.test(duration ?? '') || program === undefined) return command;
  return { ...command, program, args };
}
