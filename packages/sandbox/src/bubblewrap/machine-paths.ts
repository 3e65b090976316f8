import { isWithin, type LoggedInTool } from '@signalbox/core';

/** What root may write in a `/proc` of its own without any capability, by the owner's permission alone. */
export const KERNEL_SETTINGS: readonly string[] = words(`
  /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/acpi /proc/mtrr /proc/scsi /proc/fs /proc/driver /proc/pressure
`);

/** Where programs put files that nobody is to keep. */
export const TEMPORARY_FOLDERS: readonly string[] = ['/tmp', '/var/tmp'];

/** Folders of the machine where every command sees an empty one of its own. */
export const OWN_FOLDERS: readonly string[] = [...TEMPORARY_FOLDERS, '/run'];

/** Size of each such folder, and of the home that a command sees: they live in memory. */
export const OWN_FOLDER_BYTES = 1024 ** 3;

/**
 * Secrets of the machine that root reads without any capability: masked where they exist. A folder is shown
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

/** Whether commands can't be shown an absolute, real path, since it is one of those or below one. */
export function isMachineSecret(path: string): boolean {
  return MACHINE_SECRETS.some((secret) => isWithin(path, secret));
}

/** Secrets below a home: masked also where the workspace makes the home visible. */
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

/** What a tool needs to be logged in, below the home or absolute: shown to lines that a person switched on. */
export const LOGINS: Readonly<Record<LoggedInTool, readonly string[]>> = {
  docker: ['/run/docker.sock'],
  gh: ['.config/gh/hosts.yml', '.config/gh/config.yml'],
  kubectl: ['.kube/config'],
};

/** Toolchains below a home that hold programs and no secrets: shown read-only where they exist. */
export const HOME_TOOLCHAINS: readonly string[] = words(`
  .nvm/versions .fnm .local/share/fnm .volta/bin .volta/tools .n .bun/bin .deno/bin .asdf
  .local/share/mise .local/bin .local/lib .local/share/pnpm .local/share/uv .local/pipx
  .local/share/pipx .pyenv .rbenv .rustup .cargo/bin .cargo/registry .cargo/git go/bin go/pkg
  .sdkman/candidates .mix .hex .linuxbrew .nix-profile
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
