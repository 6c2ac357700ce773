export interface MeasuredScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly threshold: number;
  /** The reason for this score alone, if the reason of the whole result contains more. */
  readonly reason?: string;
  /** The judge's model; absent for an own scorer (an organization's HTTP program). */
  readonly model?: string;
  /** SHA-256 of the judge's prompt, in lower-case hex. */
  readonly promptHash?: string;
  readonly votes?: readonly CastVote[];
  readonly criteria?: readonly ScoredPart[];
}

/** One answer of a judge that was asked the same question several times. */
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
