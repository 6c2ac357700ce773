/**
 * In which ways the browser of widgets is tried to be started, safest first, and what is said of the way that worked. A
 * widget is code of strangers: it is kept in by the browser's own sandbox, and by a user who owns nothing. As root the
 * sandbox of the browser does not work, so that the browser is given another user. Without a sandbox it is started only
 * by root, whose browser has the other user as a wall, or where the operator says so, and never in silence.
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
  /** Left out, the user of the service. */
  readonly user?: SystemUser;
}

export function launchWays({
  isRoot,
  wish,
  user,
}: {
  readonly isRoot: boolean;
  readonly wish: SandboxWish;
  /** Of the browser where the service is root; missing where the system has no such user. */
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

/** What was found by starting it. */
export interface BrowserFound {
  readonly version: string;
  /** As its processes show, and not as it was asked. */
  readonly sandboxed: boolean;
  /** The user it runs as. */
  readonly user: string;
  /** Whether its memory can be seen here, and so be bounded. */
  readonly memoryBounded: boolean;
  /** Why the ways before this one did not work, each one sentence. */
  readonly failedBefore: readonly string[];
}

/** What an operator should know of it, loudly; nothing where all is well. */
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
          `The browser that shows widgets runs without its sandbox, as the user ${user}: code of the servers you test is held by nothing else.${why} ${howToSandbox}`,
        ]),
    ...(memoryBounded
      ? []
      : [
          'The memory of the browser that shows widgets is not bounded, because its processes cannot be seen in /proc here; bound that of the service from outside.',
        ]),
  ];
}

const howToSandbox =
  'Let its user make user namespaces (in a unit RestrictNamespaces=user pid net and SystemCallFilter=capset chroot seccomp; in a container a seccomp profile that allows them), install it where that user may run it, or set PROOFMARK_CHROMIUM_SANDBOX=required to show none without.';

/** Where no way worked. */
export function notStartedText(failures: readonly string[], wish: SandboxWish): string {
  const why = failures.length === 0 ? 'There is no way to start it.' : failures.join(' ');
  const advice =
    wish === 'off'
      ? 'Correct PROOFMARK_CHROMIUM.'
      : `${howToSandbox.slice(0, howToSandbox.lastIndexOf(', or set'))}, or set PROOFMARK_CHROMIUM_SANDBOX=off to go without.`;
  return `The browser that shows widgets could not be started. ${why} ${advice}`;
}
