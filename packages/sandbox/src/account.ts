import { userInfo } from 'node:os';

export type Account = {
  readonly uid: number;
  readonly gid: number;
  /** As the machine's list of accounts names it; null where that lacks us, as in a container run with a bare number. */
  readonly home: string | null;
};

/** Who we run as. */
export function ownAccount(): Account {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1, home: listedHome() };
}

function listedHome(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}
