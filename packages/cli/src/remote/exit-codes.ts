/**
 * A pipeline can distinguish a failing server from a missing result.
 * - 0: done or passed.
 * - 1: the run failed without a waiver or quarantine that excuses it, or a quarantine entry is
 *   stale.
 * - 2: wrong usage, even if only the service noticed it.
 * - 3: anything else, such as a cancelled run or an unreachable service.
 */
export const exitCodes = { passed: 0, failed: 1, usage: 2, other: 3 } as const;

/** Wrong input to the command, found before the service is called. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
