/** What an organization may spend in a day, and have, as the operator says: `null` is no limit, 0 is not at all. */
export const dailyLimitNames = [
  'insightsPerDay',
  'journeyRunsPerDay',
  'generationsPerDay',
  'agentTurnsPerDay',
] as const;
export type DailyLimitName = (typeof dailyLimitNames)[number];

export interface SpendingLimits extends Readonly<Record<DailyLimitName, number | null>> {
  readonly creditsPerDay: number | null;
  /** Of those that are not archived. */
  readonly maxPersonasPerProject: number | null;
  /** Of those that are published. */
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
