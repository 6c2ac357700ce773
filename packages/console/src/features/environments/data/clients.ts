export interface ClientIds {
  readonly projectId: string;
  readonly clientId: string;
}
