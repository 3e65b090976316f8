import { SandboxError } from '@signalbox/core';
import { ownAccount } from '../account.ts';
import { runTrusted } from '../programs.ts';
import { createNetworkNamespace } from './network-namespace.ts';

/** Creates a network namespace and puts a program into it. Returns null on success, or why it failed. */
export async function tryGate(bubblewrap: string): Promise<SandboxError | null> {
  try {
    const namespace = await createNetworkNamespace({ bubblewrap, uid: ownAccount().uid });
    const entered = runTrusted([...namespace.argv, '/bin/true'], '/usr/bin:/bin') !== null;
    namespace.close();
    return entered
      ? null
      : new SandboxError('A network of its own was made, but no program can be put into it');
  } catch (cause) {
    if (cause instanceof SandboxError) return cause;
    throw cause;
  }
}
