/** The scales in which visitors rate: 1 to 5 stars, or thumbs, stored as 1 and 5. */
export const ratingScales = ['stars', 'thumbs'] as const;
export type RatingScale = (typeof ratingScales)[number];

export interface GivenFeedback {
  readonly rating: number;
  /** Null if the scale was not recorded. */
  readonly scale: RatingScale | null;
  readonly comment: string | null;
  readonly updatedAt: number;
}

export interface FeedbackOfSession {
  readonly rating: number | null;
  /** Null if there is no rating or its scale was not recorded. */
  readonly scale: RatingScale | null;
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
    scale: lowest?.scale ?? null,
    comment: lowest?.comment ?? null,
    count: given.length,
  };
}
