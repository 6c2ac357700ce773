/** A visitor's feedback: on a single turn or on the whole session. */
export interface GivenFeedback {
  readonly rating: number;
  readonly comment: string | null;
  readonly updatedAt: number;
}

export interface FeedbackOfSession {
  readonly rating: number | null;
  readonly comment: string | null;
  readonly count: number;
}

/** Returns the lowest rating; among equal ratings, the latest one with its comment. */
export function feedbackOfSession(given: readonly GivenFeedback[]): FeedbackOfSession {
  const [lowest] = [...given].sort(
    (one, other) => one.rating - other.rating || other.updatedAt - one.updatedAt,
  );
  return {
    rating: lowest?.rating ?? null,
    comment: lowest?.comment ?? null,
    count: given.length,
  };
}
