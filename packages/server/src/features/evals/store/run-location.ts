/** Where a run is, for whoever goes on with it. */
export interface RunLocation {
  readonly organizationId: string;
  readonly projectId: string;
  readonly runId: string;
}
