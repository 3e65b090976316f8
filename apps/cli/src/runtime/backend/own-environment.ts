import { type ExecutorOptions, gitIdentityOf } from '@signalbox/sandbox';
import { certificatesOf } from './certificates-of.ts';

/** What commands have of the person who started this process: their programs, certificates, and name in commits. */
export type OwnEnvironment = Readonly<Pick<ExecutorOptions, 'path' | 'certificates' | 'gitIdentity'>>;

/** Read once: what the person changes later holds from the next start on. */
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
