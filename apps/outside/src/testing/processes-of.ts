import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes whose command line or working directory names that text, as `pid command line`; our own left out. */
export function processesOf(text: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const isOne = line.includes(text) || readlinkSync(`/proc/${pid}/cwd`).includes(text);
      return isOne && line !== '' ? [`${pid} ${line}`] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}

export function killProcesses(text: string): void {
  for (const one of processesOf(text)) {
    try {
      process.kill(Number.parseInt(one, 10), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
