/**
 * What Chromium needs of its surroundings to make its sandbox as an ordinary user, beyond what every program does, as the
 * kernel saw it ask (`strace -f`). The units of `deploy/` are held against it.
 */
export const sandboxNeeds = {
  namespaces: ['user', 'pid', 'net'],
  privilegedCalls: ['capset', 'chroot', 'seccomp'],
} as const;
