import { textOf, type Word } from '../../word.ts';

/** For programs that change the machine, the words with which they only report on it. */
const READ_ONLY: Readonly<Record<string, RegExp>> = {
  ldconfig: /^(?:-p|--print-cache)$/,
  sysctl: /^(?:(?:-[aAenNqx]+|--all|--values|--names|[\w.]+)(?: |$))+$/,
  hostnamectl: /^(?:status)?$/,
  timedatectl: /^(?:status|show|list-timezones)?$/,
  localectl: /^(?:status|list-\w+)?$/,
  route: /^(?:-n)?$/,
  'update-alternatives': /^--(?:list|display|query|get-selections)(?: [\w.+-]+)?$/,
  swapon: /^(?:-s|--show|--summary)$/,
  fdisk: /^(?:-l|--list)(?: \/dev\/\w+)?$/,
  losetup: /^(?:-a|-l|--all|--list)$/,
  zpool: /^(?:status|list)(?: [\w/-]+)?$/,
  zfs: /^(?:list|get all)(?: [\w/-]+)?$/,
  rfkill: /^(?:list)?$/,
  ufw: /^status(?: verbose| numbered)?$/,
  passwd: /^-S$/,
};

/** `ldconfig -p`, `sysctl -n kernel.ostype`: shows a setting, and sets none. */
export function onlyShows(program: string, words: readonly Word[]): boolean {
  const line = words.map((word) => textOf(word) ?? '=').join(' ');
  return READ_ONLY[program]?.test(line) === true;
}
