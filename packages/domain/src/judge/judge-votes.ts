/** How the judges voted that are assertions of a run, over all its trials; each criterion counts by itself. */
export interface JudgeVotes {
  /** Answers they gave to assertions and criteria, by the most votes where there were several. */
  readonly held: number;
  readonly failed: number;
  /** Those without an answer: the judge failed. */
  readonly errors: number;
  /** Votes that could be read, where several were asked for, and those of them that went with the most. */
  readonly votes: number;
  readonly agreed: number;
  /** Votes that failed. */
  readonly failedVotes: number;
}
