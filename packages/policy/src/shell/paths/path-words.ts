import { globMatches } from './glob-match.ts';

/**
 * Properties of a path by its name alone. Paths are as effects write them: relative inside the workspace, absolute or
 * `~/…` outside.
 */

/** Names of files whose content only their owner should read, in any folder. */
const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.yarnrc\.yml|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault-token|\.dockercfg|\.s3cfg|\.boto|id_(?:rsa|dsa|ecdsa|ed25519)(?:_.*)?|\.?credentials(?:\.(?:json|toml|ya?ml|csv|db|tfrc\.json))?|client_secret.*\.json|service[-_]?account.*\.json|secrets?\.(?:json|ya?ml|toml|env|txt)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfvars)|master\.key|.+\.tfstate(?:\.backup)?|wallet\.dat|kubeconfig(?:\..+)?|\.authinfo(?:\.gpg)?|\.msmtprc|\.fetchmailrc|\.?vault[-_]pass(?:word)?(?:\.txt)?|oauth_creds\.json|(?=.*firebase-adminsdk).*\.json|secring\.(?:gpg|pgp)|\.dockerconfigjson|logins\.json|\.?(?:bash|zsh|sh|python|psql|mysql|node_repl)_history)$/i;

/** `.env.example` and the like contain no secrets, nor do public halves of keys. */
const HARMLESS_NAMES = /^(?:\.env\.(?:example|sample|template|dist|defaults?|schema|test)|.+\.pub)$/i;

/** Directories with credentials; below the home directory, for any file name. */
const SECRET_FOLDERS =
  /^(?:~|\/root|\/home\/[^/]+|\/Users\/[^/]+)\/(?:\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker\/config\.json|\.config\/(?:gcloud|gh|hub|git\/credentials|op|sops|doctl|rclone|filezilla)|\.password-store|\.mozilla|\.config\/(?:google-chrome|chromium|BraveSoftware)|\.local\/share\/keyrings|\.terraform\.d|\.cargo\/credentials(?:\.toml)?|\.m2\/settings\.xml|\.gem\/credentials|\.subversion\/auth|Library\/(?:Keychains|Cookies)|\.config\/(?:hcloud|netlify|configstore|containers\/auth\.json|composer\/auth\.json|anthropic|microsoft-edge|vivaldi|opera|Slack|discord)|\.composer\/auth\.json|\.gradle\/gradle\.properties|\.nuget\/NuGet|\.oci|\.fly|\.codex\/auth\.json|\.thunderbird|\.electrum|\.bitcoin|\.ethereum|\.local\/share\/kwalletd)(?:\/|$)/;

const SECRET_SYSTEM_FILES =
  /^(?:\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|krb5\.keytab|ssl\/private|ssh\/ssh_host_.*|wireguard|openvpn|NetworkManager\/system-connections)|\/proc\/(?:[^/]*\/)*(?:environ|mem|kcore)|\/proc\/(?:kcore|kmem)|\/dev\/(?:mem|kmem|port)|\/run\/secrets|\/var\/run\/secrets)(?:[-./]|$)/;

/** One of each kind, to match patterns such as `.e*v` or `~/.s*h/id_*` against. */
const SECRET_SAMPLES = [
  '.env',
  '.env.local',
  '.env.production',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  'id_rsa',
  'id_ed25519',
  'server.pem',
  'server.key',
  'credentials',
  'credentials.json',
  '~/.ssh/id_rsa',
  '~/.ssh/id_ed25519',
  '~/.aws/credentials',
  '~/.kube/config',
  '~/.gnupg/secring.gpg',
  '~/.config/gh/hosts.yml',
  '~/.docker/config.json',
  '~/.netrc',
  '~/.npmrc',
  '~/.bash_history',
  '/root/.ssh/id_rsa',
  '/etc/shadow',
  '/etc/sudoers',
  '/proc/self/environ',
];

/** `/proc/self/root/etc/shadow` is `/etc/shadow`. */
const ROOT_OF_PROCESS = /^(?:\/proc\/[^/]+(?:\/task\/[^/]+)?\/root(?=\/))+/;

export function isSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (HARMLESS_NAMES.test(name)) return false;
  const real = path.replace(ROOT_OF_PROCESS, '');
  return SECRET_NAMES.test(name) || SECRET_FOLDERS.test(real) || SECRET_SYSTEM_FILES.test(real);
}

/** A pattern that a program matches, not the shell: a wildcard matches a dot at the beginning too. */
export function secretIn(pattern: string): string | undefined {
  return [pattern, pattern.replace(/^\*+(?=\.)/, '')].find((one) => isSecret(one));
}

/** Whether an unquoted pattern may match a secret. `*` alone does not match names that begin with a dot. */
export function mayMatchSecret(pattern: string): boolean {
  const slash = pattern.lastIndexOf('/');
  const name = pattern.slice(slash + 1);
  if (pattern.startsWith('~') || pattern.startsWith('/')) {
    if (SECRET_FOLDERS.test(pattern) || SECRET_SYSTEM_FILES.test(pattern)) return true;
    if (SECRET_SAMPLES.some((sample) => sample.includes('/') && globMatches(pattern, sample))) return true;
  }
  // A name without letters, such as `*`, is an everyday operand.
  if (!/[A-Za-z.]/.test(name)) return false;
  return SECRET_SAMPLES.some((sample) => !sample.includes('/') && namesAlike(name, sample));
}

/** `*.pem` names a secret; `*.ts`, `server.*` or `c*` do not, although a secret could have such a name. */
function namesAlike(pattern: string, sample: string): boolean {
  if (!globMatches(pattern, sample)) return false;
  const literal = pattern.replaceAll(/[*?[\]!^()|@+]/g, '');
  return (
    pattern.startsWith('.') || /^(?:id_|cred|secret)/.test(literal) || /^\.(?:pem|key|env)/.test(literal)
  );
}

/** Directories whose listing alone is revealing: keys, cloud credentials. */
export function isSecretFolder(path: string): boolean {
  return SECRET_FOLDERS.test(path);
}

/** Directories with secrets somewhere below: reading all of one reads them too. */
export function isAboveSecrets(path: string): boolean {
  return /^(?:~\/?|\/|\/proc\/(?=.*\/root(?:\/|$)).*|\/root|\/home(?:\/[^/]+)?|\/Users(?:\/[^/]+)?|\/etc|\/proc|\/run|\/var\/run|~\/\.config)$/.test(
    path,
  );
}

/** A `mktemp` file, whose name no line can spell: no word contains that character. */
export const FRESH_FILE = '/tmp/tmp.\0';

export function isFreshFile(path: string): boolean {
  return path.startsWith(FRESH_FILE);
}

/** Devices that may be written without effect. */
const HARMLESS_DEVICES =
  /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|random|urandom|ptmx|pts\/\d+)$/;

export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path);
}

/** Bash opens a socket for these names. */
export function isNetworkDevice(path: string): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(path);
}

/** A disk, memory or another device. */
export function isDevice(path: string): boolean {
  return path.startsWith('/dev/') && !path.startsWith('/dev/shm/') && !isHarmlessDevice(path);
}

const SYSTEM_FOLDERS =
  /^\/(?:etc|usr|bin|sbin|lib|lib32|lib64|libx32|boot|sys|proc|dev|var|opt|root|run|srv|System|Library|Applications|private\/etc|private\/var)(?:\/|$)/;
const SCRATCH_FOLDERS = /^\/(?:var\/tmp|dev\/shm|run\/user\/\d+|private\/tmp|var\/folders)(?:\/|$)/;

/** Folders of the operating system: a project never needs to write there. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_FOLDERS.test(path) && !SCRATCH_FOLDERS.test(path) && !isHarmlessDevice(path);
}

/** Files of git that run by themselves. */
export function isControlFile(path: string): boolean {
  return /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config|info\/|attributes)|^\.git$/.test(path);
}

/** A pattern that begins with a dot, such as `.g*`, may match the folder of git. */
export function mayMatchGit(pattern: string): boolean {
  return pattern.split('/').some((segment) => segment.startsWith('.') && globMatches(segment, '.git'));
}

/** Signalbox's own state: a write here disables the guard. */
export function isOwnState(path: string): boolean {
  return /^\.signalbox(?:\/|$)|^signalbox\.ya?ml$|^~\/\.(?:config\/)?signalbox(?:\/|$)/.test(path);
}

/** A name that shows the kind of file, so that `rm -rf notes.md` means one file. */
export function looksLikeFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^(?:Makefile|Dockerfile|LICENSE|README|Gemfile|Rakefile|Procfile|CHANGELOG|\.editorconfig|\.[a-z]+(?:rc|ignore|attributes|modules))$|[^.]\.[A-Za-z][A-Za-z0-9]{0,6}$/.test(
    name,
  );
}
