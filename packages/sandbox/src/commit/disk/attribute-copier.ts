import { Readable, Writable } from 'node:stream';
import { sendSignal, startProcess, type StartedProcess } from '../../process.ts';
import { readLines } from '../../read-lines.ts';

/** Upper bound on one copy. A pipe in place of a file would block it forever. */
const LONGEST_MS = 10_000;

/**
 * Reads a number, a folder and that many arguments of `cp`, each followed by a NUL, and creates empty files with the
 * attributes of other files. Then reports the result. A `cp` without these options creates nothing.
 */
const SCRIPT = `
while IFS= read -r -d '' count && IFS= read -r -d '' from && mapfile -d '' -t -n "$count" arguments; do
  cd -- "$from" && command -p cp --dereference --attributes-only --preserve=mode,xattr \\
    "\${arguments[@]}" </dev/null >/dev/null 2>&1
  echo $?
  cd /
done
`;

export type AttributeCopier = {
  /**
   * Creates files in a folder, with the names and attributes of those in another one. Resolves when it is done or
   * impossible. One call at a time; a second one waits.
   *
   * @param folders Absolute.
   */
  readonly copy: (
    names: readonly string[],
    folders: { readonly from: string; readonly to: string },
  ) => Promise<void>;
  /** Makes one file. @param from A folder and a path below it. */
  readonly copyOne: (from: readonly [folder: string, path: string], to: string) => Promise<void>;
};

/**
 * Creates a copier that keeps one process. Node.js can't read extended attributes, and starting a program for
 * each commit costs more the larger our own process is. It starts with the first copy and ends with us.
 */
export function createAttributeCopier(): AttributeCopier {
  let last: Promise<void> = Promise.resolve();
  let running: StartedProcess | null = null;
  let onAnswer: () => void = () => undefined;

  function begin(): StartedProcess {
    const started = startProcess({
      argv: ['/bin/bash', '--noprofile', '--norc', '-c', SCRIPT, 'signalbox-attributes'],
      cwd: '/',
      env: { LC_ALL: 'C' },
      descriptors: ['pipe', 'pipe', 'ignore'],
    });
    const [requests, answers] = started.streams;
    requests?.on('error', () => undefined);
    if (answers instanceof Readable) readLines(answers, () => running === started && onAnswer());
    return started;
  }

  /** Returns `gone` if the process was killed from outside. */
  async function ask(request: string): Promise<'done' | 'late' | 'gone'> {
    const started = (running ??= begin());
    const answered = new Promise<'done'>((resolve) => {
      onAnswer = () => resolve('done');
    });
    const [requests] = started.streams;
    if (requests instanceof Writable) requests.write(request);
    started.hold(true);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (started.pid !== undefined) sendSignal(-started.pid, 'SIGKILL');
    }, LONGEST_MS);
    const how = await Promise.race([answered, started.ended.then(() => (isLate ? 'late' : 'gone'))]);
    clearTimeout(timer);
    if (how === 'done') started.hold(false);
    else running = null;
    return how;
  }

  async function copyNow(request: string): Promise<void> {
    if ((await ask(request)) === 'gone') await ask(request);
  }

  function copyIn(folder: string, args: readonly string[]): Promise<void> {
    const request = [args.length, folder, ...args, ''].join('\0');
    return (last = last.then(() => copyNow(request)));
  }

  return {
    copy: (names, { from, to }) => copyIn(from, [`--target-directory=${to}`, '--', ...names]),
    copyOne: ([folder, path], to) => copyIn(folder, ['--no-target-directory', '--', path, to]),
  };
}
