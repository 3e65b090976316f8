import { readlinkSync } from 'node:fs';
import {
  type CommandId,
  type Execution,
  type ExecutionHooks,
  type Isolation,
  SandboxError,
} from '@signalbox/core';
import type { BoundedRequest } from './limits/bounded-limits.ts';

const off = (why: string): Isolation['fs'] => ({ strength: 'off', why });
const PAUSED: Isolation['fs'] = {
  strength: 'sampled',
  why: 'Sampled every 100 ms; commands over their share are paused',
};
const BY_OPERATOR = off('An operator switched confinement off');

/** Limits on files written to a disk without quotas. */
export const WRITTEN_TO_DISK: Isolation['fs'] = {
  strength: 'sampled',
  why: 'Bytes of all files, sampled every 100 ms, and names twice a second; bytes of each file are enforced',
};

/** What remains when an operator has switched confinement off. */
export const UNCONFINED: Isolation = {
  layer: 'none',
  fs: BY_OPERATOR,
  net: BY_OPERATOR,
  pid: BY_OPERATOR,
  syscalls: BY_OPERATOR,
  limits: {
    cpu: PAUSED,
    memory: { strength: 'sampled', why: 'Sampled every 100 ms' },
    processes: BY_OPERATOR,
    disk: WRITTEN_TO_DISK,
  },
  tracking: BY_OPERATOR,
};

/** Prints the command's own confinement. Starts one program, which prints a line such as `net:[4026531840]` for each namespace. */
const QUESTIONS = `
while read -r key value; do
  case $key in NoNewPrivs:|Seccomp:|CapEff:|CapBnd:) echo "$key$value" ;; esac
done </proc/self/status
readlink /proc/self/ns/{net,pid,user,ipc,uts,mnt}
[ -w / ] || echo root:read-only
[ -w /etc ] || echo etc:read-only
[ -w /proc/sys/kernel/core_pattern ] || echo sysctl:read-only
[ -w . ] || echo workspace:read-only
`;

export const TRIAL: BoundedRequest = {
  commandId: 'cmd_probe0000000' as CommandId,
  program: { kind: 'shell', line: QUESTIONS },
  cwd: '.',
  env: {},
  limits: {
    timeoutMs: 10_000,
    memoryBytes: 256 * 1024 ** 2,
    cpuPercent: 100,
    processes: 64,
    fileBytes: 1024 ** 2,
    openFiles: 256,
  },
  network: 'off',
  workspace: 'read',
};

/** `groups`: null where the system lets us make none. */
type Machine = {
  readonly uid: number;
  readonly groups: { readonly limitsCpu: boolean } | null;
  readonly onTrial?: (() => void) | undefined;
};

type Run = (request: BoundedRequest, hooks: ExecutionHooks) => Promise<Execution>;

/**
 * Runs a command in the layer and has it report what confines it.
 *
 * @throws {SandboxError} with every measure that does not hold
 */
export async function probeLayer(run: Run, machine: Machine): Promise<Isolation> {
  const hooks: ExecutionHooks = {
    signal: new AbortController().signal,
    onOutput: () => undefined,
    onStart: () => machine.onTrial?.(),
  };
  const execution = await run(TRIAL, hooks);
  const missing = whatIsMissing(execution.stdout.text);
  if (execution.ended.kind !== 'exited' || missing.length > 0) {
    throw new SandboxError('Cannot confine commands: a trial failed', {
      why: [
        `The trial ended: ${JSON.stringify(execution.ended)}`,
        ...missing,
        ...execution.stderr.text.split('\n'),
      ],
      next: ['signalbox doctor'],
    });
  }
  return confinedIsolation(machine);
}

/**
 * Lists the measures the answers don't prove.
 *
 * @param mayShare Namespaces that may be shared with the machine.
 */
export function whatIsMissing(answers: string, mayShare: readonly string[] = []): string[] {
  const held = new Set(answers.split('\n'));
  const fixed = [
    ['NoNewPrivs:1', 'New privileges can be gained'],
    ['Seccomp:2', 'System calls are not filtered'],
    ['CapEff:0000000000000000', 'It holds capabilities'],
    ['CapBnd:0000000000000000', 'It may gain capabilities'],
    ['root:read-only', 'The machine is writable'],
    ['etc:read-only', 'The folder "/etc" is writable'],
    ['sysctl:read-only', 'The settings of the kernel are writable'],
    ['workspace:read-only', 'A read-only workspace is writable'],
  ].flatMap(([answer = '', why = '']) => (held.has(answer) ? [] : [why]));
  const shared = ['net', 'pid', 'user', 'ipc', 'uts', 'mnt'].filter((name) => {
    if (mayShare.includes(name)) return false;
    const own = [...held].find((line) => line.startsWith(`${name}:[`));
    return own === undefined || own === readlinkSync(`/proc/self/ns/${name}`);
  });
  return [...fixed, ...shared.map((name) => `The namespace "${name}" is shared with the machine`)];
}

const SAMPLED: Isolation['fs'] = {
  strength: 'sampled',
  why: 'Sampled every 100 ms; a single process is limited to 3 GiB more',
};

function confinedIsolation({ uid, groups }: Machine): Isolation {
  const enforced: Isolation['fs'] = { strength: 'enforced' };
  const sameUser: Isolation['fs'] = {
    strength: 'enforced',
    why: 'Runs as root of the machine, without capabilities: an ordinary user is safer',
  };
  return {
    layer: 'bind',
    fs: uid === 0 ? sameUser : enforced,
    net: enforced,
    pid: enforced,
    syscalls: enforced,
    limits: {
      cpu: groups?.limitsCpu === true ? enforced : PAUSED,
      memory: groups !== null ? enforced : SAMPLED,
      processes:
        uid === 0 && groups === null
          ? off('The kernel does not limit processes of root; the time limit ends them')
          : enforced,
      disk: WRITTEN_TO_DISK,
    },
    tracking: off('Commands write to the workspace directly'),
  };
}
