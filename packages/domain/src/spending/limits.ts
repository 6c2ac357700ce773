/**
 * The operator's limits for an organization, per day and in total: `null` means no limit, 0 forbids
 * the use.
 */
export const dailyLimitNames = [
  'insightsPerDay',
  'journeyRunsPerDay',
  'generationsPerDay',
  'agentTurnsPerDay',
] as const;
export type DailyLimitName = (typeof dailyLimitNames)[number];

export interface SpendingLimits extends Readonly<Record<DailyLimitName, number | null>> {
  readonly creditsPerDay: number | null;
  readonly maxPersonasPerProject: number | null;
  readonly maxScenariosPerProject: number | null;
}

export const defaultSpendingLimits: SpendingLimits = {
  insightsPerDay: 25,
  journeyRunsPerDay: 100,
  generationsPerDay: 50,
  agentTurnsPerDay: null,
  creditsPerDay: null,
  maxPersonasPerProject: 200,
  maxScenariosPerProject: null,
};
