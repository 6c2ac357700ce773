/** A folder of journeys, with values for forms to copy. No setting is resolved through it. */
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
