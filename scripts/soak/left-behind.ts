import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What is left of programs that kept all of their files in that folder: processes, sockets, mounts and files. */
export function leftBehind(folder: string): readonly string[] {
  return [
    ...processesOf(folder).map((process) => `process ${process}`),
    ...linesWith('/proc/net/unix', folder).map((line) => `socket ${line.split(' ').at(-1)}`),
    ...linesWith('/proc/self/mounts', folder).map((line) => `mount ${line.split(' ')[1]}`),
    ...(existsSync(folder) ? readdirSync(folder).map((name) => `file ${name}`) : []),
  ];
}

/** Each names the folder in its command line, environment or working directory. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const facts = [line, readFileSync(`/proc/${pid}/environ`, 'utf8'), readlinkSync(`/proc/${pid}/cwd`)];
      return facts.some((fact) => fact.includes(folder)) ? [`${pid} ${line.slice(0, 200)}`] : [];
    } catch {
      // It has ended, or is of another account.
      return [];
    }
  });
}

function linesWith(file: string, folder: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder));
}
