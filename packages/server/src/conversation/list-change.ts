/** What became of the tools of a server that said in mid-trial that they changed. */
export interface ListChange {
  readonly serverName: string;
  readonly atMs: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Why the list could not be read again, where it could not. */
  readonly failure?: string;
}
