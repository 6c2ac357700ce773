/**
 * Warnings about a trial that do not affect its result:
 *
 * - failed `after` calls
 * - sessions that were lost and opened again
 * - calls without an answer that were repeated with no other call in flight
 * - output of a stdio server that is not an MCP message
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
   * The path of the failed call: `after[0]` for the case, `settings.after[0]` for the suite. For a
   * session or a repeated call, the path of the server in the run, such as `servers[0]`.
   */
  readonly path: string;
  readonly code: (typeof trialWarningCodes)[number];
  readonly message: string;
}
