/** Something to know of a trial that is no part of its result: calls after it that failed. */
export const trialWarningCodes = ['AFTER_FAILED', 'AFTER_UNKNOWN'] as const;

export interface TrialWarning {
  /** Where what failed was stated, such as `after[0]`, or `settings.after[0]` of the suite. */
  readonly path: string;
  readonly code: (typeof trialWarningCodes)[number];
  readonly message: string;
}
