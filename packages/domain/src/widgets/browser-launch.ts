/**
 * The ways to start the browser for widgets, safest first. A widget is untrusted code, contained by
 * the browser's sandbox and by a system user without access to anything. The sandbox does not work
 * as root, so a service that runs as root starts the browser as another user if it can. Without a
 * sandbox the browser starts only if the service runs as root or the operator allows it, with a
 * warning.
 */
export const sandboxChoices = ['auto', 'required', 'off'] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];

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
  sandbox,
  user,
}: {
  readonly isRoot: boolean;
  readonly sandbox: SandboxChoice;
  /**
   * The user for the browser if the service runs as root; undefined if the system has no suitable
   * user.
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
  if (sandbox === 'required') return all.filter(({ hasSandbox }) => hasSandbox);
  if (sandbox === 'off') return all.filter(({ hasSandbox }) => !hasSandbox);
  return isRoot ? all : all.filter(({ hasSandbox }) => hasSandbox);
}

export interface BrowserFound {
  readonly version: string;
  /**
   * Whether the browser's processes actually run in the sandbox, not whether the sandbox was
   * requested.
   */
  readonly sandboxed: boolean;
  readonly user: string;
  /** Whether the browser's memory can be measured, which is required to limit it. */
  readonly memoryBounded: boolean;
  /** Why safer ways to start the browser failed, one sentence each. */
  readonly failedBefore: readonly string[];
}

/** Empty if the browser runs safely. */
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

export function notStartedText(failures: readonly string[], sandbox: SandboxChoice): string {
  const why = failures.length === 0 ? 'There is no way to start it.' : failures.join(' ');
  const advice =
    sandbox === 'off'
      ? 'Correct PROOFMARK_CHROMIUM.'
      : `${howToSandbox.slice(0, howToSandbox.lastIndexOf(', or set'))}, or set PROOFMARK_CHROMIUM_SANDBOX=off to run it without a sandbox.`;
  return `The browser that shows widgets could not be started. ${why} ${advice}`;
}
