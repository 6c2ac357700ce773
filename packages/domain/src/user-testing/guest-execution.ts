/** What visitors without an account may spend. Who is a member of the project or was invited spends as the organization does. */
export interface GuestExecution {
  readonly enabled: boolean;
  readonly sharedSkillsEnabled: boolean;
  readonly computerEnabled: boolean;
  /** Credits of a scenario and UTC day; 0 means none. */
  readonly dailyCreditCap: number;
  readonly dailyComputerStartCap: number;
  readonly maxConcurrentComputers: number;
  readonly harnessEnabled: boolean;
  readonly dailyHarnessSpendCapMicros: number;
  readonly dailyHarnessCallCap: number;
  readonly maxConcurrentHarnessRuns: number;
  /** `readOnly`: only tools that say that they only read. */
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

/** An optional field that is left out is off, also where it was on before. */
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

/** For the log of who changed it. */
export function guestExecutionWords({
  enabled,
  dailyCreditCap,
  toolPolicy,
}: GuestExecution): string {
  const spending = enabled ? `at most ${dailyCreditCap} credits a day` : 'no model that costs';
  return toolPolicy === 'all' ? spending : `${spending}, tools that only read`;
}
