/**
 * The exit codes of all commands: 0 for done or passed, 1 for a failed run, 2 for wrong usage (even
 * if only the service noticed it), 3 for anything else. Code 1 means that a completed run measured
 * a failure that neither a waiver nor a quarantine excuses, or that an entry of the quarantine is
 * stale. Code 3 includes a cancelled run, and anything that could not
 * be measured, found or reached. A pipeline can so tell a failing server from a missing result.
 */
export const exitCodes = { passed: 0, failed: 1, usage: 2, other: 3 } as const;

/** Wrong input to the command, found before the service is called. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
