/**
 * 0: done or passed. 1: a completed run measured a failure that neither a waiver nor a quarantine
 * excuses, or a quarantine entry is stale. 2: wrong usage, even if only the service noticed it. 3:
 * anything else, such as a cancelled run or an unreachable service. A pipeline can thus distinguish
 * a failing server from a missing result.
 */
export const exitCodes = { passed: 0, failed: 1, usage: 2, other: 3 } as const;

/** Wrong input to the command, found before the service is called. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
