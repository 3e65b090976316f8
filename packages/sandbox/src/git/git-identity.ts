import { readTrusted } from '../programs.ts';
import { safePath } from '../safe-path.ts';

export type GitIdentity = { readonly name: string; readonly email: string };

/** The identity where none is configured. */
export const NO_IDENTITY: GitIdentity = { name: 'Signalbox', email: 'signalbox@localhost' };

/** Variables by which git finds a user's configuration. */
const OF_A_PERSON = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL'];
const SAYS_WHERE = [...OF_A_PERSON, 'GIT_CONFIG_SYSTEM'];
/** How git itself reads a variable that is on. */
const IS_ON = /^(?:true|yes|on|0*[1-9][0-9]*)$/i;
const TIMEOUT_MS = 3000;
const MAX_LENGTH = 200;

/**
 * The user's name and address from their own git configuration for this workspace (`includeIf` is honoured),
 * else from the machine's unless `GIT_CONFIG_NOSYSTEM` is on. Missing parts come from {@link NO_IDENTITY}. The
 * repository's configuration is left to git, which lets it override this.
 */
export async function gitIdentityOf(
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitIdentity> {
  const { PATH = '/usr/bin:/bin' } = env;
  const given: Record<string, string> = { PATH: safePath(PATH, workspace), LC_ALL: 'C.UTF-8' };
  for (const name of SAYS_WHERE) if (env[name] !== undefined) given[name] = env[name];

  async function readFrom(scope: '--global' | '--system'): Promise<Partial<GitIdentity>> {
    const argv = ['git', '--no-pager', 'config', scope, '--includes', '--null', '--get-regexp'] as const;
    const options = { cwd: workspace, env: given, timeoutMs: TIMEOUT_MS };
    // It fails if there is no file or no such setting.
    const text = await readTrusted([...argv, '^user\\.(name|email)$'], options).catch(() => '');
    return Object.fromEntries(text.split('\0').flatMap(toField));
  }

  // Without a home there is no such configuration.
  const hasOwn = OF_A_PERSON.some((name) => given[name] !== undefined);
  const own = hasOwn ? await readFrom('--global') : {};
  const isMissing = own.name === undefined || own.email === undefined;
  const hasSystem = !IS_ON.test(env['GIT_CONFIG_NOSYSTEM'] ?? '');
  const rest = isMissing && hasSystem ? await readFrom('--system') : {};
  return { ...NO_IDENTITY, ...rest, ...own };
}

/** Parses `user.name⏎Ana`. The last entry of a name wins. */
function toField(entry: string): (readonly [string, string])[] {
  const [, key, text = ''] = /^user\.(name|email)\n([\s\S]*)$/.exec(entry) ?? [];
  const value = text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
  return key === undefined || value === '' ? [] : [[key, value]];
}
