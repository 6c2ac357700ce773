/**
 * Something to know of a trial that is no part of its result: calls after it that failed, sessions that were lost while it
 * ran and opened anew, and calls that were made a second time, alone, because the first got no answer beside others of ours,
 * and what a stdio server wrote between its messages.
 */
export const trialWarningCodes = [
  'AFTER_FAILED',
  'AFTER_UNKNOWN',
  'SESSION_REOPENED',
  'CALL_REPEATED',
  'STDOUT_NOISE',
] as const;

export interface TrialWarning {
  /**
   * Where what failed was stated, such as `after[0]`, or `settings.after[0]` of the suite; of a session
   * or a repeated call the place of its server among those of the run, such as `servers[0]`.
   */
  readonly path: string;
  readonly code: (typeof trialWarningCodes)[number];
  readonly message: string;
}
