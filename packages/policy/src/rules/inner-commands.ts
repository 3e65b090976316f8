import { type LineCommands, nameOf, type SimpleCommand } from './simple-command.ts';

/** Programs whose words contain another program, or a shell line. */
const WRAPPERS: ReadonlySet<string> = new Set(
  (
    'sudo doas su env nohup nice ionice timeout time stdbuf setsid chrt taskset unshare nsenter chroot xargs parallel ' +
    'watch script flock strace ltrace gdb find fd command builtin exec eval trap ssh busybox npx bunx pnpx corepack ' +
    'bash sh dash zsh ksh fish ash rbash entr at batch systemd-run firejail bwrap proot fakeroot direnv mise asdf'
  ).split(' '),
);

/** Wrappers that pass more words to what they start, from their input or their findings. */
const FEEDERS: ReadonlySet<string> = new Set(['xargs', 'parallel', 'find', 'fd', 'entr']);
/** A package manager starts a program after these verbs; `yarn` and the like also without one. */
const MANAGERS: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(?:exec|x|--)$/],
  ['pnpm', /^(?:exec|dlx|--|pnpm)$/],
  ['yarn', /^(?:exec|dlx|run|--|yarn)$/],
  ['bun', /^(?:x|run|--|bun)$/],
  ['uv', /^(?:run|x|tool|--)$/],
  ['uvx', /^uvx$/],
  ['poetry', /^run$/],
  ['pipenv', /^run$/],
  ['pdm', /^run$/],
  ['hatch', /^run$/],
  ['rye', /^run$/],
  ['bundle', /^exec$/],
  ['composer', /^exec$/],
  ['deno', /^(?:task|run|x)$/],
]);

/** Without arguments these run their input. */
const SHELLS: ReadonlySet<string> = new Set('bash sh dash zsh ksh fish ash rbash at batch'.split(' '));

/** Per line; with more the answer is not certain. */
const MAX_INNER = 500;

type ReadLine = (text: string) => LineCommands | null;

/**
 * Commands that wrappers may start. Every word that could be a program counts as one, and every word with blanks as a
 * line: too much is found rather than too little, so this may hold a call back and never lets one through.
 */
export function innerCommandsOf(
  commands: readonly SimpleCommand[],
  read: ReadLine,
): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  for (const command of commands) {
    const name = command.program === null ? '' : nameOf(command.program);
    const managed = startedByManager(name, command);
    if (managed !== undefined) found.push(...startedBy(name, managed, read));
    if (WRAPPERS.has(name)) found.push(...startedBy(name, command, read));
    if (found.length > MAX_INNER) return [...found.slice(0, MAX_INNER), unknown(command)];
  }
  return found;
}

/** `pnpm exec prettier -w a`, `yarn prettier -w a`: the words after the verb, or undefined when nothing is started. */
function startedByManager(name: string, command: SimpleCommand): SimpleCommand | undefined {
  const verbs = MANAGERS.get(name);
  if (verbs === undefined) return undefined;
  const { args } = command;
  const at = args.findIndex((word) => word === null || verbs.test(word));
  if (at >= 0) return { ...command, args: args.slice(args[at] === null ? at : at + 1) };
  return verbs.test(name) ? command : undefined;
}

function startedBy(name: string, command: SimpleCommand, read: ReadLine): readonly SimpleCommand[] {
  const { args, span } = command;
  if (SHELLS.has(name) && args.every((word) => word?.startsWith('-') === true)) return [unknown(command)];
  const fed = FEEDERS.has(name) ? [null] : [];
  const known = args.filter((word) => word !== null);
  const joined = name === 'eval' && known.length === args.length;
  const texts = [...known.filter((word) => /[\s;|&]/.test(word)), ...(joined ? [known.join(' ')] : [])];
  const words = args.flatMap((word, at) =>
    word?.startsWith('-') === true || at > MAX_INNER
      ? []
      : [{ program: word, args: [...args.slice(at + 1), ...fed], span }],
  );
  return [...words, ...texts.slice(0, 20).flatMap((text) => linesWithin(text, command, read))];
}

/** A line that can't be parsed may start anything. */
function linesWithin(text: string, outer: SimpleCommand, read: ReadLine): readonly SimpleCommand[] {
  const inner = read(text);
  if (inner === null) return [unknown(outer)];
  return [...inner.commands, ...inner.inner].map((command) => ({ ...command, span: outer.span }));
}

function unknown({ span }: SimpleCommand): SimpleCommand {
  return { program: null, args: [], span };
}
