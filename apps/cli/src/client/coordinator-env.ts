import { CERTIFICATE_VARIABLES } from '../runtime/workspace/certificate-variables.ts';
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
  'SSL_CERT_DIR',
  'TMPDIR',
  'TZ',
  'USER',
  REDIS_URL,
]);
const KEPT_PREFIX = /^(?:LC_|XDG_)/;
/** Files of theirs that npm reads, and where it installs programs: what of these lies in a workspace is guarded. */
const NPM_FILES = /^npm_config_(?:globalconfig|prefix|userconfig)$/i;

/** A clean environment: no keys, no settings and no hooks of the shell that happened to come first. */
export function coordinatorEnv(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isKept(name) ? [[name, value]] : [],
    ),
  );
}

function isKept(name: string): boolean {
  return KEPT.has(name) || KEPT_PREFIX.test(name) || NPM_FILES.test(name);
}
