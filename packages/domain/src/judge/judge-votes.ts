/** The votes of a run's judges over all trials. Each criterion is counted separately. */
export interface JudgeVotes {
  /**
   * The number of assertions and criteria that held, each decided by majority if there were several
   * votes.
   */
  readonly held: number;
  readonly failed: number;
  /** The number of assertions and criteria without an answer, because the judge failed. */
  readonly errors: number;
  /**
   * The readable votes, counted only if several votes were requested. `agreed` is the number of
   * these that agreed with the majority.
   */
  readonly votes: number;
  readonly agreed: number;
  readonly failedVotes: number;
}
