export interface Environment {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /**
   * The key of an ad hoc environment, derived from its content. Such an environment has a generated
   * name.
   */
  readonly adhocKey?: string | null;
  readonly description: string | null;
  /** The client's id. The published API uses the older name. */
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
