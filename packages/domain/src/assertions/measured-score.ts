/** What somebody outside measured of a trial: a judge, or a scorer of the user's own. */
export interface MeasuredScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly threshold: number;
}
