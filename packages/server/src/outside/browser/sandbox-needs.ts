/**
 * The system calls and namespaces that Chromium's sandbox needs for an ordinary user, in addition
 * to those of every program, as observed with `strace -f`. A test checks that the units in
 * `deploy/` allow them.
 */
export const sandboxNeeds = {
  namespaces: ['user', 'pid', 'net'],
  privilegedCalls: ['capset', 'chroot', 'seccomp'],
} as const;
