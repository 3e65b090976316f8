import { existsSync, readFileSync } from 'node:fs';
import type { SandboxError } from '@signalbox/core';
import { ownAccount } from '../account.ts';

/** The page with instructions for each distribution. */
const PAGE = 'docs/sandbox.md: "How to get L1 on the common distributions"';

/** Kernel and distribution switches that keep ordinary users from creating namespaces. */
const SWITCHES = [
  { name: 'kernel/apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { name: 'kernel/unprivileged_userns_clone', closed: '0', open: '1' },
  { name: 'user/max_user_namespaces', closed: '0', open: '15000' },
] as const;

/**
 * Container options that let bubblewrap work inside: `/proc` unmasked, or the kernel rejects a new one; no
 * seccomp filter that forbids namespaces. No capability is needed or wanted.
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

/** What to do about a layer that doesn't work, as a command to paste where there is one. */
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
