/**
 * The operator's limits of an organization, per day and in all: `null` is no limit, 0 forbids it.
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
  /** Archived ones do not count. */
  readonly maxPersonasPerProject: number | null;
  /** Only published ones count. */
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
