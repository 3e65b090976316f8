import { readTrusted } from '../programs.ts';
import { safePath } from '../safe-path.ts';

export type GitIdentity = { readonly name: string; readonly email: string };

/** Who commits where nobody says. */
export const NO_IDENTITY: GitIdentity = { name: 'Signalbox', email: 'signalbox@localhost' };

/** By which git finds the configuration of a person. */
const OF_A_PERSON = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL'];
const SAYS_WHERE = [...OF_A_PERSON, 'GIT_CONFIG_SYSTEM'];
const TIMEOUT_MS = 3000;
const MAX_LENGTH = 200;

/**
 * The name and address of the person as their own git configuration has them, for this workspace (`includeIf` of a
 * folder counts), else the machine's. What is missing is that of {@link NO_IDENTITY}. The repository's own is git's
 * business: it goes over this.
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
    // It fails where there is neither a file nor such a setting.
    const text = await readTrusted([...argv, '^user\\.(name|email)$'], options).catch(() => '');
    return Object.fromEntries(text.split('\0').flatMap(toField));
  }

  // Without a folder of theirs nobody has such a configuration.
  const hasOwn = OF_A_PERSON.some((name) => given[name] !== undefined);
  const own = hasOwn ? await readFrom('--global') : {};
  const rest = own.name === undefined || own.email === undefined ? await readFrom('--system') : {};
  return { ...NO_IDENTITY, ...rest, ...own };
}

/** Of `user.name⏎Ana`, the last one of a name wins. */
function toField(entry: string): (readonly [string, string])[] {
  const [, key, text = ''] = /^user\.(name|email)\n([\s\S]*)$/.exec(entry) ?? [];
  const value = text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
  return key === undefined || value === '' ? [] : [[key, value]];
}
