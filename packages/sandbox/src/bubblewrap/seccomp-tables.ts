/**
 * Numbers of system calls. x64: Linux `arch/x86/entry/syscalls/syscall_64.tbl`; arm64:
 * `include/uapi/asm-generic/unistd.h`. Audit values: `include/uapi/linux/audit.h`.
 */

type Architecture = {
  readonly audit: number;
  /** Bit of the x32 system call interface of x86-64, which must be rejected. */
  readonly x32Bit: number | null;
  readonly calls: Readonly<Record<string, number>>;
};

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    x32Bit: 0x40000000,
    calls: toNumbers(`
      ptrace=101 mount=165 umount2=166 pivot_root=155 swapon=167 swapoff=168 reboot=169 init_module=175
      delete_module=176 finit_module=313 kexec_load=246 kexec_file_load=320 acct=163 settimeofday=164
      clock_settime=227 adjtimex=159 clock_adjtime=305 iopl=172 ioperm=173 add_key=248 request_key=249
      keyctl=250 bpf=321 perf_event_open=298 userfaultfd=323 open_by_handle_at=304 name_to_handle_at=303
      process_vm_readv=310 process_vm_writev=311 setns=308 unshare=272 clone=56 clone3=435 open_tree=428
      move_mount=429 fsopen=430 fsconfig=431 fsmount=432 fspick=433 mount_setattr=442 open_tree_attr=467
      io_uring_setup=425 io_uring_enter=426 io_uring_register=427 socket=41 ioctl=16 chroot=161
      quotactl=179 quotactl_fd=443 lookup_dcookie=212 vhangup=153 pidfd_getfd=438 fanotify_init=300
      kcmp=312 uselib=134 modify_ldt=154 syslog=103 chmod=90 fchmod=91 fchmodat=268 fchmodat2=452 open=2
      creat=85 openat=257 openat2=437 mknod=133 mknodat=259
    `),
  },
  arm64: {
    audit: 0xc00000b7,
    x32Bit: null,
    calls: toNumbers(`
      ptrace=117 mount=40 umount2=39 pivot_root=41 swapon=224 swapoff=225 reboot=142 init_module=105
      delete_module=106 finit_module=273 kexec_load=104 kexec_file_load=294 acct=89 settimeofday=170
      clock_settime=112 adjtimex=171 clock_adjtime=266 add_key=217 request_key=218 keyctl=219 bpf=280
      perf_event_open=241 userfaultfd=282 open_by_handle_at=265 name_to_handle_at=264 process_vm_readv=270
      process_vm_writev=271 setns=268 unshare=97 clone=220 clone3=435 open_tree=428 move_mount=429
      fsopen=430 fsconfig=431 fsmount=432 fspick=433 mount_setattr=442 open_tree_attr=467
      io_uring_setup=425 io_uring_enter=426 io_uring_register=427 socket=198 ioctl=29 chroot=51
      quotactl=60 quotactl_fd=443 lookup_dcookie=18 vhangup=58 pidfd_getfd=438 fanotify_init=262 kcmp=272
      syslog=116 fchmod=52 fchmodat=53 fchmodat2=452 openat=56 openat2=437 mknodat=33
    `),
  },
};

/** `include/uapi/asm-generic/errno-base.h` and `errno.h`. */
export const EPERM = 1;
export const ENOSYS = 38;

/** Rejected for any arguments: other processes' memory, kernel settings and log, keys, mounts. */
export const REFUSED: readonly string[] = `
  ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd perf_event_open bpf userfaultfd add_key
  request_key keyctl open_by_handle_at name_to_handle_at mount umount2 pivot_root setns open_tree
  open_tree_attr move_mount fsopen fsconfig fsmount fspick mount_setattr chroot swapon swapoff reboot
  acct init_module delete_module finit_module kexec_load kexec_file_load settimeofday clock_settime
  iopl ioperm modify_ldt uselib quotactl quotactl_fd lookup_dcookie vhangup fanotify_init syslog
`
  .trim()
  .split(/\s+/);

/**
 * Answered with ENOSYS, so that programs fall back: io_uring bypasses the filter, clone3 and openat2 hide their
 * flags.
 */
export const ABSENT: readonly string[] = [
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'clone3',
  'openat2',
];

/**
 * S_ISUID and S_ISGID of `include/uapi/linux/stat.h`. Such a file runs with its owner's rights, also outside
 * the sandbox.
 */
export const SET_ID_MODES = 0o6000;
/** Calls that set a file's mode, with the index of that argument. */
export const MODE_CALLS: Readonly<Record<string, number>> = {
  chmod: 1,
  fchmod: 1,
  fchmodat: 2,
  fchmodat2: 2,
  creat: 1,
};
/** Calls that set a mode if their flags create a file, with the indexes of flags and mode. */
export const OPEN_CALLS: Readonly<Record<string, readonly [flags: number, mode: number]>> = {
  open: [1, 2],
  openat: [2, 3],
};
/** O_CREAT and the bit specific to O_TMPFILE, of `include/uapi/asm-generic/fcntl.h`. */
export const MAKES_FILE = 0o100 | 0o20000000;
/** Calls that create a device, FIFO or file, with the index of the mode. */
export const NODE_CALLS: Readonly<Record<string, number>> = { mknod: 1, mknodat: 2 };
/** S_IFMT, and its values S_IFCHR and S_IFBLK: devices. A character device 0:0 is a deletion in an overlay. */
export const FILE_KIND = 0o170000;
export const DEVICES: readonly number[] = [0o020000, 0o060000];

/** All CLONE_NEW* flags of `include/uapi/linux/sched.h`: mount, cgroup, uts, ipc, user, pid, net. */
export const NEW_NAMESPACES = 0x7e020000;
/** CLONE_NEWTIME, which is in the byte `clone` reads as the exit signal. */
export const NEW_TIME_NAMESPACE = 0x80;

/** TIOCSTI and TIOCLINUX of `include/uapi/asm-generic/ioctls.h`: they type into another terminal. */
export const REFUSED_IOCTLS: readonly number[] = [0x5412, 0x541c];

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. tsx needs AF_UNIX; AF_VSOCK would leave a network namespace. */
export const ALLOWED_SOCKETS: readonly number[] = [1, 2, 10, 16];

/** Parses `name=number` pairs. */
function toNumbers(text: string): Record<string, number> {
  const pairs = text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', number]) => [name, Number(number)]));
}
