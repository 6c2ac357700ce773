/**
 * The exit codes of all commands: 0 for done or passed, 1 for a failed run, 2 for wrong usage (even
 * if only the service noticed it), 3 for anything else. Code 1 means that a completed run measured
 * a failure and no waiver is in force. Code 3 includes a cancelled run, and anything that could not
 * be measured, found or reached. A pipeline can so tell a failing server from a missing result.
 */
import type { OutputOf } from '@proofmark/contract';
import {
  type DecisionSummary,
  exitCodeOfGate,
  type RunGate,
  wentAsRecorded,
  wordOfGate,
} from '@proofmark/domain';

export const exitCodes = { passed: 0, failed: 1, usage: 2, other: 3 } as const;

export function runExitCode(
  status: OutputOf<'getEvalRun'>['status'],
  verdict: DecisionSummary['verdict'],
  isWaived: boolean,
): number {
  return exitCodeOfGate[wordOfGate({ status, verdict, isWaived })];
}

type Replay = OutputOf<'getEvalRun'>['replay'];

/**
 * Returns the exit code of a replay: 3 if it diverged or lacked a recording, even if its run was
 * graded or waived.
 */
export function exitCodeOfReplay(replay: Replay, otherwise: number): number {
  return wentAsRecorded(replay) ? otherwise : exitCodes.other;
}

/**
 * Returns the exit code of a gate with bounds, whose outcome counts in place of the run's verdict.
 */
export function boundsExitCode(outcome: RunGate['outcome'], isWaived: boolean): number {
  const run = { status: 'completed', verdict: 'notEstablished' } as const;
  return exitCodeOfGate[wordOfGate({ ...run, bounds: outcome, isWaived })];
}

/** Wrong input to the command, found before the service is called. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
