export interface EnvironmentIds {
  readonly projectId: string;
  readonly environmentId: string;
}
