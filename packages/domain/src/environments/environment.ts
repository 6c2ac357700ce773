/** An environment as the rules see it: which client runs, on which servers, with which model, skills and plugins. */
export interface Environment {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** Of one that nobody has named: what it holds, as one key. Its name is then made here, to show it by. */
  readonly adhocKey?: string | null;
  readonly description: string | null;
  /** The client; published programs know it by its older name. */
  readonly hostId: string;
  readonly serverAttachmentId: string | null;
  readonly modelId: string | null;
  readonly skillSelection: SelectedSkills | null;
  readonly pluginVersionIds: readonly string[] | null;
  readonly sandboxImageId: string | null;
  readonly revision: number;
  readonly archivedAt: Date | null;
}

export interface SelectedSkills {
  readonly mode: 'explicit';
  readonly skillIds: readonly string[];
}
