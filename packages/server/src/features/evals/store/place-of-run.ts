/** Where a run is, for whoever goes on with it. */
export interface PlaceOfRun {
  readonly organizationId: string;
  readonly projectId: string;
  readonly runId: string;
}
