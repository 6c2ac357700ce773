/** What somebody outside measured of a trial: a judge, or a scorer of the user's own. */
export interface MeasuredScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly threshold: number;
  /** What is said of the score itself, where the reason of the whole says more. */
  readonly reason?: string;
  /** The model that scored, where one did. */
  readonly model?: string;
  /** SHA-256 of what it was asked, lower hex. */
  readonly promptHash?: string;
  /** What each vote said, where there were several. */
  readonly votes?: readonly CastVote[];
  /** Parts with a score and a threshold of their own. */
  readonly criteria?: readonly ScoredPart[];
}

/** One of several answers to the same question. */
export interface CastVote {
  /** null: it could not be read, or was not given. */
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
