/** The measurement of a trial by a judge or an own scorer. */
export interface MeasuredScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly threshold: number;
  /** The reason for the score itself, if the reason of the whole result contains more. */
  readonly reason?: string;
  /** The model of the judge, if there is one. */
  readonly model?: string;
  /** SHA-256 of the judge's prompt, in lower hex. */
  readonly promptHash?: string;
  /** The votes, if there were several. */
  readonly votes?: readonly CastVote[];
  /** Parts with separate scores and thresholds. */
  readonly criteria?: readonly ScoredPart[];
}

/** One of several answers of a judge to the same question. */
export interface CastVote {
  /** `null` if the vote is missing or could not be read. */
  readonly score: number | null;
  readonly passed: boolean | null;
  readonly reason: string;
}

export interface ScoredPart {
  readonly name: string;
  readonly score: number;
  readonly threshold: number;
  readonly reason: string;
  readonly votes?: readonly CastVote[];
}
