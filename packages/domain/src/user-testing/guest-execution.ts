/**
 * The spending limits for visitors without an account. Project members and invited visitors spend
 * from the organization's credits instead.
 */
export interface GuestExecution {
  readonly enabled: boolean;
  readonly sharedSkillsEnabled: boolean;
  readonly computerEnabled: boolean;
  /** The credits for visitors without an account, per scenario and UTC day; 0 means none. */
  readonly dailyCreditCap: number;
  readonly dailyComputerStartCap: number;
  readonly maxConcurrentComputers: number;
  readonly harnessEnabled: boolean;
  readonly dailyHarnessSpendCapMicros: number;
  readonly dailyHarnessCallCap: number;
  readonly maxConcurrentHarnessRuns: number;
  /** `readOnly`: only tools that declare themselves read-only may be called. */
  readonly toolPolicy: GuestToolPolicy;
}

export const guestToolPolicies = ['all', 'readOnly'] as const;
export type GuestToolPolicy = (typeof guestToolPolicies)[number];

type Optional =
  | 'harnessEnabled'
  | 'dailyHarnessSpendCapMicros'
  | 'dailyHarnessCallCap'
  | 'maxConcurrentHarnessRuns'
  | 'toolPolicy';

/**
 * A field that is missing in `sent` gets its default (off, 0 or `all`), even if it was set before.
 */
export function replaceGuestExecution(
  sent: Omit<GuestExecution, Optional> & {
    readonly [Name in Optional]?: GuestExecution[Name] | undefined;
  },
): GuestExecution {
  return {
    ...sent,
    harnessEnabled: sent.harnessEnabled ?? false,
    dailyHarnessSpendCapMicros: sent.dailyHarnessSpendCapMicros ?? 0,
    dailyHarnessCallCap: sent.dailyHarnessCallCap ?? 0,
    maxConcurrentHarnessRuns: sent.maxConcurrentHarnessRuns ?? 0,
    toolPolicy: sent.toolPolicy ?? 'all',
  };
}

export function guestExecutionWords({
  enabled,
  dailyCreditCap,
  toolPolicy,
}: GuestExecution): string {
  const spending = enabled ? `at most ${dailyCreditCap} credits a day` : 'only free models';
  return toolPolicy === 'all' ? spending : `${spending}, tools that only read`;
}
