import { existsSync, readFileSync } from 'node:fs';
import type { SandboxError } from '@signalbox/core';
import { ownAccount } from '../account.ts';

/** Where the ways are described, machine by machine. */
const PAGE = 'docs/sandbox.md: "How to get L1 on the common distributions"';

/** Switches of the kernel and of distributions that keep ordinary users from namespaces. */
const SWITCHES = [
  { name: 'kernel/apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { name: 'kernel/unprivileged_userns_clone', closed: '0', open: '1' },
  { name: 'user/max_user_namespaces', closed: '0', open: '15000' },
] as const;

/**
 * What engines leave in a container, and what lets bubblewrap work there: `/proc` unmasked, or the kernel refuses
 * a new one; the filter of system calls off that forbids namespaces. No capability is needed, and none wanted.
 */
const CONTAINERS = [
  {
    mark: '/run/.containerenv',
    fix: 'podman run --security-opt unmask=ALL --security-opt seccomp=unconfined',
  },
  {
    mark: '/.dockerenv',
    fix: 'docker run --security-opt systempaths=unconfined --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
  },
] as const;

/** What to do about a layer that does not hold, to be pasted where it is a command. */
export function fixFor({ next }: SandboxError): string {
  const install = next.find((line) => line.startsWith('Install'));
  if (install !== undefined) return install;
  const closed = SWITCHES.filter(({ name, closed: value }) => settingOf(name) === value);
  if (closed.length > 0 && ownAccount().uid !== 0) {
    return closed.map(({ name, open }) => `sudo sysctl -w ${name.replaceAll('/', '.')}=${open}`).join('; ');
  }
  return CONTAINERS.find(({ mark }) => existsSync(mark))?.fix ?? PAGE;
}

function settingOf(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}
