/**
 * Something to know of a trial that is no part of its result: calls after it that failed, and sessions that were lost
 * while it ran and opened anew.
 */
export const trialWarningCodes = ['AFTER_FAILED', 'AFTER_UNKNOWN', 'SESSION_REOPENED'] as const;

export interface TrialWarning {
  /**
   * Where what failed was stated, such as `after[0]`, or `settings.after[0]` of the suite; of a session the place of its
   * server among those of the run, such as `servers[0]`.
   */
  readonly path: string;
  readonly code: (typeof trialWarningCodes)[number];
  readonly message: string;
}
