import { ownAccount } from '../account.ts';
import { defaultIsDenied } from '../denials/default-denials.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createMounts } from './mounts.ts';
import { homesOfPeople } from './other-homes.ts';

/** The mounts for commands and services in this executor's workspace. */
export function mountsOf(options: ExecutorOptions): ReturnType<typeof createMounts> {
  const {
    workspace,
    stateFolder,
    home,
    path,
    visible = [],
    certificates = {},
    isDenied = defaultIsDenied,
    namedFiles,
    readView,
  } = options;
  return createMounts({
    workspace,
    stateFolder,
    homes: [home, ownAccount().home ?? home],
    otherHomes: homesOfPeople(options.accounts ?? '/etc/passwd'),
    path,
    visible,
    certificates: Object.values(certificates),
    gitConfig: `${stateFolder}/gitconfig`,
    isDenied,
    readView,
    ...(namedFiles === undefined ? {} : { namedFiles }),
  });
}
