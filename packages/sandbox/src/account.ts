import { userInfo } from 'node:os';

export type Account = {
  readonly uid: number;
  readonly gid: number;
  /** From the machine's list of accounts. Null if that doesn't list us, as in a container run with a bare uid. */
  readonly home: string | null;
};

/** The account this process runs as. */
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
