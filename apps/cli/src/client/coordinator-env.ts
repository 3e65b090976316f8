import { CERTIFICATE_VARIABLES } from '../runtime/backend/certificates-of.ts';
import { REDIS_URL } from '../runtime/workspace/redis-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a coordinator has of the environment of whoever came first; all who come later share it. */
const KEPT: ReadonlySet<string> = new Set([
  // What their git reads: who commits, and which files of a workspace it takes for settings.
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LOGNAME',
  ...CERTIFICATE_VARIABLES,
  'PATH',
  'SHELL',
  'TMPDIR',
  'TZ',
  'USER',
  REDIS_URL,
]);
const KEPT_PREFIX = /^(?:LC_|XDG_)/;

/** A clean environment: no keys, no settings and no hooks of the shell that happened to come first. */
export function coordinatorEnv(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (KEPT.has(name) || KEPT_PREFIX.test(name)) ? [[name, value]] : [],
    ),
  );
}
