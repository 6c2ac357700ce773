/**
 * The votes of judges that are assertions of a run, over all its trials; each criterion counts
 * separately.
 */
export interface JudgeVotes {
  /**
   * The number of answers to assertions and criteria, each by majority if there were several votes.
   */
  readonly held: number;
  readonly failed: number;
  /** Answers that are missing because the judge failed. */
  readonly errors: number;
  /** Readable votes, if several were requested, and those of them that agreed with the majority. */
  readonly votes: number;
  readonly agreed: number;
  /** Votes that failed. */
  readonly failedVotes: number;
}
