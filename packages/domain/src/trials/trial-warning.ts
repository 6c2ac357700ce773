/**
 * Warnings about a trial that are no part of its result: failed calls after it, sessions that were
 * lost and opened again, calls that were repeated alone because the first got no answer beside
 * others of ours, and output of a stdio server between its messages.
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
   * The path of the failed call, for example `after[0]`, or `settings.after[0]` of the suite; for a
   * session or a repeated call, that of its server in the run, for example `servers[0]`.
   */
  readonly path: string;
  readonly code: (typeof trialWarningCodes)[number];
  readonly message: string;
}
