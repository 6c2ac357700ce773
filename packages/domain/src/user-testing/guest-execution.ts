/**
 * The spending limits of visitors without an account. Members of the project and invited visitors
 * spend like the organization.
 */
export interface GuestExecution {
  readonly enabled: boolean;
  readonly sharedSkillsEnabled: boolean;
  readonly computerEnabled: boolean;
  /** Credits per scenario and UTC day; 0 means none. */
  readonly dailyCreditCap: number;
  readonly dailyComputerStartCap: number;
  readonly maxConcurrentComputers: number;
  readonly harnessEnabled: boolean;
  readonly dailyHarnessSpendCapMicros: number;
  readonly dailyHarnessCallCap: number;
  readonly maxConcurrentHarnessRuns: number;
  /** `readOnly`: only tools that declare that they only read. */
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

/** Replaces all settings: a missing optional field is off, even if it was on before. */
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

/** Describes the change for the audit log. */
export function guestExecutionWords({
  enabled,
  dailyCreditCap,
  toolPolicy,
}: GuestExecution): string {
  const spending = enabled ? `at most ${dailyCreditCap} credits a day` : 'no model that costs';
  return toolPolicy === 'all' ? spending : `${spending}, tools that only read`;
}
