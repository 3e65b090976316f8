import { type ExecutorOptions, gitIdentityOf } from '@signalbox/sandbox';
import { certificatesOf } from './certificates-of.ts';

/** What commands get from the user who started this process: programs, certificates, and the name in commits. */
export type OwnEnvironment = Readonly<Pick<ExecutorOptions, 'path' | 'certificates' | 'gitIdentity'>>;

/** Read once: later changes apply from the next start. */
export async function ownEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  workspace: string,
): Promise<OwnEnvironment> {
  return {
    path: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    certificates: certificatesOf(env, workspace).used,
    gitIdentity: await gitIdentityOf(workspace, env),
  };
}
