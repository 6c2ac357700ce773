/**
 * How commands that ask a service end: 0 done or passed, 1 the run failed, 2 used wrongly, also where only the
 * service could see it, 3 anything else. Only a failure that a completed run measured is 1, and only without a waiver;
 * whatever was stopped, or could not be measured, found or reached is 3, so that a pipeline can tell a bad server from a
 * bad day.
 */
import type { OutputOf } from '@proofmark/contract';
import type { DecisionSummary } from '@proofmark/domain';

export const exitCodes = { passed: 0, failed: 1, usage: 2, other: 3 } as const;

export function runExitCode(
  status: OutputOf<'getEvalRun'>['status'],
  verdict: DecisionSummary['verdict'],
  isWaived: boolean,
): number {
  if (status !== 'completed') return exitCodes.other;
  if (verdict === 'passed') return exitCodes.passed;
  if (verdict === 'failed') return isWaived ? exitCodes.passed : exitCodes.failed;
  return exitCodes.other;
}

/** The person at the terminal has to say something else; nothing was asked of the service in vain. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
