/** An environment in the rules: its client, servers, model, skills and plugins. */
export interface Environment {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /**
   * The key of an ad hoc environment, derived from its content. Its name is then generated for
   * display.
   */
  readonly adhocKey?: string | null;
  readonly description: string | null;
  /** The client, by its older name in the published API. */
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
