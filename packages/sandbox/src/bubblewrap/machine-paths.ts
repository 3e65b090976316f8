import { isWithin, type LoggedInTool } from '@signalbox/core';

/** Files in `/proc` that root can write without any capability, as their owner. */
export const KERNEL_SETTINGS: readonly string[] = words(`
  /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/acpi /proc/mtrr /proc/scsi /proc/fs /proc/driver /proc/pressure
`);

/** Where programs put temporary files. */
export const TEMPORARY_FOLDERS: readonly string[] = ['/tmp', '/var/tmp'];

/** Folders that each command sees as an empty folder of its own. */
export const OWN_FOLDERS: readonly string[] = [...TEMPORARY_FOLDERS, '/run'];

/** Size of each such folder, and of a command's home. They are in memory. */
export const OWN_FOLDER_BYTES = 1024 ** 3;

/**
 * Secrets of the machine that root can read without any capability. Masked if they exist; folders are shown
 * empty.
 */
export const MACHINE_SECRETS: readonly string[] = words(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d
  /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key /etc/ssl/private
  /etc/kubernetes /etc/rancher /var/lib/kubelet /var/lib/docker /var/lib/containerd /var/lib/cloud
  /var/spool/cron /var/backups
  /etc/letsencrypt/live /etc/letsencrypt/archive /etc/letsencrypt/accounts /etc/wireguard /etc/openvpn
  /etc/NetworkManager/system-connections /etc/ppp/chap-secrets /etc/ppp/pap-secrets /etc/ipsec.secrets
  /etc/krb5.keytab /etc/docker/key.json /etc/mysql/debian.cnf /etc/postfix/sasl_passwd /etc/exim4/passwd.client
  /etc/vault.d /var/lib/samba/private /var/lib/tailscale /var/lib/jenkins/secrets
`);

/**
 * Whether an absolute path with links resolved is one of these secrets or below one, so commands can't be shown
 * it.
 */
export function isMachineSecret(path: string): boolean {
  return MACHINE_SECRETS.some((secret) => isWithin(path, secret));
}

/** Secrets below a home. Masked even if the workspace makes the home visible. */
export const HOME_SECRETS: readonly string[] = words(`
  .ssh .gnupg .aws .azure .config/gcloud .config/gh .config/hub .docker .kube .netrc .git-credentials
  .config/git/credentials .npmrc .yarnrc.yml .pypirc .vault-token .cargo/credentials
  .cargo/credentials.toml .gem/credentials .config/op .password-store .terraform.d .config/doctl
  .config/signalbox .local/share/signalbox .local/state/signalbox .claude .claude.json .codex .gemini
  .config/opencode .mozilla .config/google-chrome .bash_history .zsh_history .psql_history .pgpass
  .my.cnf .local/share/keyrings .config/containers .config/rclone .boto .s3cfg .netlify .config/netlify
  .config/vercel .railway .fly .config/stripe .config/heroku .pulumi .composer/auth.json .m2/settings.xml
  .gradle/gradle.properties .bundle/config .cache/huggingface/token .huggingface .snowflake .config/chromium
  .config/BraveSoftware .thunderbird .config/github-copilot .cursor .aider.conf.yml .python_history
  .node_repl_history .mysql_history .sqlite_history .rediscli_history .lesshst .viminfo
`);

/** Files of a tool's login, below the home or absolute. Shown to lines for which the user enabled it. */
export const LOGINS: Readonly<Record<LoggedInTool, readonly string[]>> = {
  docker: ['/run/docker.sock'],
  gh: ['.config/gh/hosts.yml', '.config/gh/config.yml'],
  kubectl: ['.kube/config'],
};

/** Toolchains below a home, which contain programs and no secrets. Shown read-only if they exist. */
export const HOME_TOOLCHAINS: readonly string[] = words(`
  .nvm/versions .fnm .local/share/fnm .volta/bin .volta/tools .n .bun/bin .deno/bin .asdf
  .local/share/mise .local/bin .local/lib .local/share/pnpm .local/share/uv .local/pipx
  .local/share/pipx .pyenv .rbenv .rustup .cargo/bin .cargo/registry .cargo/git go/bin go/pkg
  .sdkman/candidates .mix .hex .linuxbrew .nix-profile
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
