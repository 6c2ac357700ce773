/**
 * The ways to start the browser for widgets, safest first, and messages about the way that worked.
 * A widget is untrusted code. Two things contain it: the browser's own sandbox, and a system user
 * without any possessions. The sandbox does not work as root, so there the browser runs as another
 * user. Without a sandbox the browser starts only if the service runs as root, where the other user
 * is a barrier, or if the operator allows it. Either causes a warning.
 */
export const sandboxWishes = ['auto', 'required', 'off'] as const;
export type SandboxWish = (typeof sandboxWishes)[number];

export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface LaunchWay {
  readonly hasSandbox: boolean;
  /** The user that the browser runs as (default: the user of the service). */
  readonly user?: SystemUser;
}

export function launchWays({
  isRoot,
  wish,
  user,
}: {
  readonly isRoot: boolean;
  readonly wish: SandboxWish;
  /**
   * The user for the browser if the service runs as root; undefined if the system has no such user.
   */
  readonly user: SystemUser | undefined;
}): readonly LaunchWay[] {
  const others: readonly LaunchWay[] =
    user === undefined
      ? []
      : [
          { hasSandbox: true, user },
          { hasSandbox: false, user },
        ];
  const all: readonly LaunchWay[] = isRoot
    ? [...others, { hasSandbox: false }]
    : [{ hasSandbox: true }, { hasSandbox: false }];
  if (wish === 'required') return all.filter(({ hasSandbox }) => hasSandbox);
  if (wish === 'off') return all.filter(({ hasSandbox }) => !hasSandbox);
  return isRoot ? all : all.filter(({ hasSandbox }) => hasSandbox);
}

/** What was observed after the browser started. */
export interface BrowserFound {
  readonly version: string;
  /** Whether the sandbox is active, as observed in the browser's processes and not as requested. */
  readonly sandboxed: boolean;
  /** The user that the browser runs as. */
  readonly user: string;
  /** Whether the browser's memory can be observed, so that it can be limited. */
  readonly memoryBounded: boolean;
  /** Why safer ways to start failed, one sentence each. */
  readonly failedBefore: readonly string[];
}

/** Returns warnings for the operator; empty if the browser runs safely. */
export function browserWarnings({
  sandboxed,
  user,
  memoryBounded,
  failedBefore,
}: BrowserFound): readonly string[] {
  const why = failedBefore.length === 0 ? '' : ` ${failedBefore.join(' ')}`;
  return [
    ...(sandboxed
      ? []
      : [
          `The browser that shows widgets runs without its sandbox, as the user ${user}: nothing else confines the code of the servers you test.${why} ${howToSandbox}`,
        ]),
    ...(memoryBounded
      ? []
      : [
          'The memory of the browser that shows widgets is not limited, because its processes cannot be seen in /proc; limit the memory of the service from outside.',
        ]),
  ];
}

const howToSandbox =
  'Allow its user to create user namespaces (in a systemd unit RestrictNamespaces=user pid net and SystemCallFilter=capset chroot seccomp; in a container a seccomp profile that allows them), install the browser where that user may run it, or set PROOFMARK_CHROMIUM_SANDBOX=required to show no widgets without a sandbox.';

/** Returns the message for the case that the browser could not be started in any way. */
export function notStartedText(failures: readonly string[], wish: SandboxWish): string {
  const why = failures.length === 0 ? 'There is no way to start it.' : failures.join(' ');
  const advice =
    wish === 'off'
      ? 'Correct PROOFMARK_CHROMIUM.'
      : `${howToSandbox.slice(0, howToSandbox.lastIndexOf(', or set'))}, or set PROOFMARK_CHROMIUM_SANDBOX=off to run it without a sandbox.`;
  return `The browser that shows widgets could not be started. ${why} ${advice}`;
}
