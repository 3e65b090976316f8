import { readdirSync, readFileSync } from 'node:fs';
import { treeOf } from '../process-tree/process-tree.ts';

/**
 * Processes of a sandbox, including standbys: they name the workspace in their arguments.
 *
 * @param among default: every process of the machine, which takes much longer than those of one tree
 */
export function processesIn(workspace: string, among: readonly number[] = allProcesses()): number[] {
  return among.filter((pid) => {
    const argv = argvOf(pid);
    return argv.includes(workspace) && !argv.startsWith(process.execPath);
  });
}

function allProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The sandbox inits that are ready for a command. */
export function initsIn(workspace: string): number[] {
  const outer = processesIn(workspace);
  const inner = new Set(outer.flatMap((pid) => treeOf(pid)));
  return [...inner].filter((pid) => !outer.includes(pid) && argvOf(pid).startsWith('/bin/bash'));
}

function argvOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
