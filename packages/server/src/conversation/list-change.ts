/** The change of tools that a server announced during a trial. */
export interface ListChange {
  readonly serverName: string;
  readonly atMs: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** The reason if the list could not be read again. */
  readonly failure?: string;
}
