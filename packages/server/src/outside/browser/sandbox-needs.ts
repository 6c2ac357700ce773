/**
 * The system calls and namespaces that Chromium needs for its sandbox as an ordinary user, beyond
 * those of every program, as observed with `strace -f`. A test compares the units of `deploy/` with
 * them.
 */
export const sandboxNeeds = {
  namespaces: ['user', 'pid', 'net'],
  privilegedCalls: ['capset', 'chroot', 'seccomp'],
} as const;
