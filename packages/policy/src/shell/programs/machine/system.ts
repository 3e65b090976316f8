import { definePrograms, named, type Rule, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { judgeHiddenText } from '../../hidden-text.ts';
import { touchRead } from '../../paths/touch.ts';
import { after, beginningOf, textOf, type Word } from '../../word.ts';

function blocked(code: string, text: string): Pick<Rule, 'level' | 'code' | 'text' | 'unknownOptions'> {
  return { level: 'blocked', code, text, unknownOptions: 'any' };
}

/** Programs that change the machine, or the user that runs. */
export const system = definePrograms(
  {
    names: named(
      'systemd-run sudo sudoedit su doas pkexec runuser gosu su-exec setpriv newgrp run0 dzdo calife super kdesu gksudo gksu visudo capsh unshare nsenter chroot setcap machinectl newuidmap newgidmap setuidgid chpst bwrap',
    ),
    ...blocked('privilege', 'escalates privileges'),
    effects: [WRITES_UNKNOWN],
    judge: ({ program, context }) => context.report.effect({ kind: 'privilege', program }),
    examples: {
      blocked: [
        'sudo apt-get update',
        'su root',
        'doas ls',
        '/usr/bin/sudo id',
        's"u"do id',
        'pkexec id',
        'unshare -r sh',
      ],
    },
  },
  {
    names: ['shutdown', 'reboot', 'poweroff', 'halt', 'init', 'telinit', 'kexec', 'pm-suspend'],
    ...blocked('shutdown', 'stops or restarts the machine'),
    examples: { blocked: ['reboot', 'poweroff', 'shutdown -h now', 'init 0'] },
  },
  {
    names: named(
      'mkfs mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mke2fs mkswap swapon swapoff fdisk sfdisk cfdisk gdisk sgdisk parted partprobe hdparm blkdiscard mdadm lvcreate lvremove vgremove pvremove cryptsetup losetup diskutil fsck e2fsck tune2fs resize2fs dmsetup zpool zfs btrfs format badblocks nvme mknod debugfs',
    ),
    unknownOptions: 'any',
    judge: ({ program, words, context, span }) => {
      if ((words.length === 1 && textOf(words[0]) === '-V') || onlyShows(program, words)) return;
      context.report.raise('blocked', 'writes-device', { text: 'changes disks or devices', span });
    },
    examples: {
      safe: ['mkfs.ext4 -V', 'swapon --show'],
      blocked: ['mkfs.ext4 /dev/sdb1', 'fdisk /dev/sda', 'mknod x b 8 0'],
    },
  },
  {
    names: ['mount', 'umount', 'pivot_root', 'fusermount'],
    unknownOptions: 'any',
    judge: ({ words, program, context, span }) => {
      if (program === 'mount' && words.every((word) => /^-[lv]+$/.test(textOf(word) ?? ''))) return;
      context.report.raise('blocked', 'system-change', { text: 'mounts or unmounts file systems', span });
    },
    examples: { safe: ['mount', 'mount -l'], blocked: ['mount /dev/sdb1 /mnt', 'umount /mnt'] },
  },
  {
    names: named(
      'useradd adduser userdel usermod groupadd groupdel groupmod passwd chpasswd chsh chfn vipw gpasswd dscl iptables ip6tables iptables-save iptables-restore nft ufw firewall-cmd pfctl setenforce aa-disable aa-teardown semanage apparmor_parser insmod rmmod modprobe depmod ldconfig update-rc.d chkconfig hostnamectl timedatectl localectl hwclock route auditctl sysctl spctl csrutil update-alternatives update-grub grub-install efibootmgr bpftool kmod swapctl aa-complain aa-enforce rfkill networksetup',
    ),
    unknownOptions: 'any',
    judge: ({ program, words, context, span }) => {
      if (onlyShows(program, words)) return;
      context.report.raise('blocked', 'system-change', {
        text: 'changes system users, firewall, kernel or settings',
        span,
      });
    },
    examples: {
      safe: ['ldconfig -p', 'sysctl -n kernel.ostype', 'timedatectl'],
      blocked: [
        'useradd x',
        'passwd',
        'iptables -F',
        'setenforce 0',
        'modprobe x',
        'sysctl -w a=b',
        'sysctl a=b',
        'ldconfig',
      ],
    },
  },
  {
    names: ['fuser'],
    options:
      '-aciIkmMsuvV46 -n: --all --interactive --inode --kill --mount --namespace= --silent --user --verbose --version',
    raises: [
      {
        when: '-k --kill',
        level: 'dangerous',
        code: 'kills',
        text: 'kills the processes that use the given files',
      },
    ],
    examples: { safe: ['fuser -v 3000/tcp'], dangerous: ['fuser -k 3000/tcp'] },
  },
  {
    names: ['killall', 'killall5', 'pkill', 'skill', 'xkill', 'renice'],
    unknownOptions: 'any',
    level: 'dangerous',
    code: 'kills',
    text: 'kills processes by name, including those of others',
    examples: { dangerous: ['killall node', 'pkill -f server'] },
  },
  {
    names: ['crontab', 'at', 'batch', 'atq', 'atrm', 'anacron'],
    unknownOptions: 'any',
    judge: ({ words, program, context, span }) => {
      if (program === 'atq' || (textOf(words[0]) === '-l' && words.length === 1)) return;
      const { text } = context.state.stdin;
      judgeHiddenText(text ?? '', span, { context });
      if (text !== undefined && program !== 'crontab') context.walk.runText(text, span, context);
      context.report.raise('dangerous', 'schedules', {
        text: 'runs commands later, outside the workspace',
        span,
      });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['crontab -l'],
      dangerous: ['crontab x', 'crontab -r', 'crontab -l -r', 'echo x | crontab -'],
    },
  },
  {
    names: ['dmesg', 'journalctl'],
    unknownOptions: 'any',
    judge: ({ program, words, context, span }) => {
      const changes =
        program === 'dmesg'
          ? /^-[a-zA-Z]*[cCDEn]|^--(?:cl|read|con)/
          : /^--(?:vac|rot|fl|syn|rel|sm|se|up|cursor-f)/;
      if (words.some((word) => changes.test(textOf(word) ?? '--clear')))
        context.report.raise('dangerous', 'deletes', { text: 'clears system logs', span });
      if (program === 'dmesg') readsLog(words, context);
    },
    examples: {
      safe: ['dmesg', 'journalctl -u x -r'],
      dangerous: [
        'dmesg -F .env',
        'dmesg --file=.env',
        'journalctl --vacuum-time=1s',
        'journalctl --rot',
        'dmesg --cle',
      ],
    },
  },
);

/** `dmesg -F x`: shows the lines of a file. */
function readsLog(words: readonly Word[], context: EvaluationContext): void {
  for (const [at, word] of words.entries()) {
    const flag = /^(?:-[a-zA-Z]*F|--fi\w*=?)/.exec(beginningOf(word))?.[0];
    if (flag === undefined) continue;
    const files = beginningOf(word) === flag ? words.slice(at + 1, at + 2) : [after(word, flag.length)];
    for (const file of files) touchRead(context, file);
  }
}

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
function onlyShows(program: string, words: readonly Word[]): boolean {
  const line = words.map((word) => textOf(word) ?? '=').join(' ');
  return READ_ONLY[program]?.test(line) === true;
}
