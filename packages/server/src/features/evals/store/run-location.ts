/** The ids needed to find and continue a run. */
export interface RunLocation {
  readonly organizationId: string;
  readonly projectId: string;
  readonly runId: string;
}
