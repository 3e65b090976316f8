import { accessSync, constants } from 'node:fs';
import { arch, userInfo } from 'node:os';
import { type Isolation, SandboxError } from '@signalbox/core';
import { findBubblewrap } from './bubblewrap.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { createExecutor } from './executor.ts';
import { runTrusted } from './process.ts';
import { seccompFilter } from './seccomp.ts';

/** One line of `signalbox doctor`. */
export type Diagnosis = {
  /** `node`, `git`, `ripgrep`, `bubblewrap`, `namespace:net`, `system-calls`, `confinement`, `limits` … */
  readonly id: string;
  readonly ok: boolean;
  /** What was found, or what is missing. */
  readonly why: string;
  /** What to do, to be pasted where it is a command; null where there is nothing to do. */
  readonly fix: string | null;
};

/** Tries everything that commands need by really running it; the first that fails explains the later ones. */
export async function diagnose(options: ExecutorOptions): Promise<readonly Diagnosis[]> {
  const bubblewrap = options.bubblewrap ?? findBubblewrap(options.path, options.workspace);
  return [
    nodeVersion(),
    program({ id: 'git', name: 'git', packageName: 'git', path: options.path }),
    program({ id: 'ripgrep', name: 'rg', packageName: 'ripgrep', path: options.path }),
    program({ id: 'bubblewrap', name: bubblewrap ?? 'bwrap', packageName: 'bubblewrap', path: options.path }),
    ...(bubblewrap === null ? [] : NAMESPACES.map((namespace) => tryNamespace(bubblewrap, namespace))),
    systemCalls(),
    ...(await confinement(options)),
  ];
}

function nodeVersion(): Diagnosis {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 22 || (major === 22 && minor >= 18);
  return {
    id: 'node',
    ok,
    why: `Node.js ${process.versions.node}`,
    fix: ok ? null : 'Install Node.js 22.18 or later, or start Signalbox by npm, which brings its own',
  };
}

function program(options: { id: string; name: string; packageName: string; path: string }): Diagnosis {
  const { id, name, packageName } = options;
  const version = runTrusted([name, '--version'], options.path)?.split('\n')[0]?.trim();
  if (version !== undefined) return { id, ok: true, why: version, fix: null };
  return { id, ok: false, why: `The program "${name}" can not be run`, fix: installing(packageName) };
}

/** The word of the package manager that is there. */
function installing(packageName: string): string {
  const managers = [
    ['/usr/bin/apt-get', `apt-get install -y ${packageName}`],
    ['/usr/bin/dnf', `dnf install -y ${packageName}`],
    ['/usr/bin/pacman', `pacman -S --noconfirm ${packageName}`],
    ['/sbin/apk', `apk add ${packageName}`],
    ['/usr/bin/zypper', `zypper install -y ${packageName}`],
    ['/opt/homebrew/bin/brew', `brew install ${packageName}`],
  ] as const;
  const command = managers.find(([path]) => isExecutable(path))?.[1];
  if (command === undefined) return `Install the package "${packageName}"`;
  return userInfo().uid === 0 || command.startsWith('brew') ? command : `sudo ${command}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const NAMESPACES = ['user', 'pid', 'net', 'ipc', 'uts', 'cgroup'] as const;

function tryNamespace(bubblewrap: string, namespace: (typeof NAMESPACES)[number]): Diagnosis {
  const id = `namespace:${namespace}`;
  const argv = ['--unshare-user', `--unshare-${namespace}`, '--ro-bind', '/', '/', '/bin/true'];
  const ok = runTrusted([bubblewrap, ...argv], '/usr/bin:/bin') !== null;
  if (ok) return { id, ok, why: 'A process ran in one of its own', fix: null };
  return { id, ok, why: 'No process could be given one of its own', fix: NAMESPACE_FIX };
}

/** The usual reasons: Ubuntu's AppArmor rule, Debian's and the kernel's own switch, a container without the right. */
const NAMESPACE_FIX =
  'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), ' +
  'sysctl -w kernel.unprivileged_userns_clone=1 (Debian), sysctl -w user.max_user_namespaces=15000; ' +
  'in a container: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined';

function systemCalls(): Diagnosis {
  const ok = seccompFilter(arch()) !== null;
  const why = ok ? `A filter for ${arch()} is known` : `No filter for ${arch()} is known`;
  return { id: 'system-calls', ok, why, fix: ok ? null : 'Run Signalbox on x64 or arm64' };
}

/** A whole command, confined as commands are, which says what confines it. */
async function confinement(options: ExecutorOptions): Promise<Diagnosis[]> {
  const id = 'confinement';
  try {
    const isolation = await createExecutor({ ...options, confinement: 'required' }).isolation();
    return [{ id, ok: true, why: `Layer "${isolation.layer}" holds`, fix: null }, ...measures(isolation)];
  } catch (cause) {
    if (!(cause instanceof SandboxError)) throw cause;
    const why = [cause.message, ...cause.why].join('; ');
    return [{ id, ok: false, why, fix: cause.next[0] ?? NAMESPACE_FIX }];
  }
}

/** Limits that are weaker than they could be are told, and are no fault. */
function measures({ limits }: Isolation): Diagnosis[] {
  return Object.entries(limits).map(([name, { strength, why }]) => ({
    id: `limit:${name}`,
    ok: strength !== 'off',
    why: why === undefined ? strength : `${strength}: ${why}`,
    fix: strength === 'off' ? (LIMIT_FIXES[name] ?? null) : null,
  }));
}

const LIMIT_FIXES: Readonly<Record<string, string>> = {
  processes: 'Run Signalbox as an ordinary user',
};
