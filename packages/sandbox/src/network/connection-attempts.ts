import { readFileSync, readlinkSync } from 'node:fs';
import type { Execution } from '@signalbox/core';
import { treeOf } from '../process-tree/process-tree.ts';

export type ConnectionAttempts = NonNullable<Execution['connectionAttempts']>;

/** Upper bound on processes above the command, which set up its confinement. */
const MAX_ASKED = 10;
/** Rows of the kernel's counters: `Tcp: ActiveOpens …`, then `Tcp: 1 …`. */
const ROW = /^(\w+): (.+)$/gm;

/**
 * Counts failed connection attempts in the command's own network namespace, by the kernel's counters. Null if
 * no process is in such a namespace, or it can't be read.
 *
 * @param root The topmost process of the tree.
 */
export function attemptsIn(root: number): ConnectionAttempts | null {
  for (const pid of treeOf(root).slice(0, MAX_ASKED)) {
    const found = attemptsOf(pid);
    if (found !== null) return found;
  }
  return null;
}

function attemptsOf(pid: number): ConnectionAttempts | null {
  try {
    if (readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net')) return null;
    return toAttempts(
      readFileSync(`/proc/${pid}/net/snmp`, 'latin1'),
      readFileSync(`/proc/${pid}/net/snmp6`, 'latin1'),
    );
  } catch {
    return null;
  }
}

/** Reads `/proc/net/snmp` and `/proc/net/snmp6`. */
export function toAttempts(snmp: string, snmp6: string): ConnectionAttempts {
  const counts = new Map<string, number>();
  const heads = new Map<string, string[]>();
  for (const [, group = '', rest = ''] of snmp.matchAll(ROW)) {
    const fields = rest.split(' ');
    const head = heads.get(group);
    if (head === undefined) heads.set(group, fields);
    else for (const [at, name] of head.entries()) counts.set(`${group}${name}`, Number(fields[at] ?? 0));
  }
  for (const [, name = '', value] of snmp6.matchAll(/^(\w+)\s+(\d+)$/gm)) counts.set(name, Number(value));
  const sum = (...names: string[]): number => names.reduce((all, name) => all + (counts.get(name) ?? 0), 0);
  return {
    loopback: sum('TcpAttemptFails', 'UdpNoPorts', 'Udp6NoPorts'),
    away: sum('IpOutNoRoutes', 'Ip6OutNoRoutes'),
  };
}
