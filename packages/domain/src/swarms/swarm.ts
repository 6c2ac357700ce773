/** A folder of journeys, with values that forms copy. Journeys do not inherit settings from it. */
export interface SavedSwarm {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly environmentIds: readonly string[];
  readonly sessionsPerTarget: number;
  readonly maxTurns: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
