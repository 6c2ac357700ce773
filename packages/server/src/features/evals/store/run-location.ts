export interface RunLocation {
  readonly organizationId: string;
  readonly projectId: string;
  readonly runId: string;
}
