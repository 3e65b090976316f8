import { CERTIFICATE_VARIABLES } from '../runtime/workspace/certificate-variables.ts';
import { REDIS_URL } from '../runtime/workspace/redis-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables that a coordinator keeps from the client that started it; all later clients share them. */
const KEPT: ReadonlySet<string> = new Set([
  // Read by their git: the author, and which files of a workspace are configuration.
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
/** Files that their npm reads, and where it installs programs: those inside a workspace are guarded. */
const NPM_FILES = /^npm_config_(?:globalconfig|prefix|userconfig)$/i;

/** A clean environment: no keys, settings or hooks of the shell that happened to start it. */
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
