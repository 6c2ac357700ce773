/**
 * Exit codes of every command: 0 for done or passed, 1 for a failed run, 2 for wrong usage, also where
 * only the service noticed it, 3 for anything else. The code is 1 only if a completed run measured a failure and no
 * waiver is in force. A run that was stopped, and anything that could not be measured, found or reached, is 3: so a
 * pipeline can tell a server that failed from a run without a result.
 */
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, type RunGate, wentAsRecorded } from '@proofmark/domain';

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

type Replay = OutputOf<'getEvalRun'>['replay'];

/** A replay of which anything went another way, or was not recorded, is no answer, whatever was graded and waived. */
export function exitCodeOfReplay(replay: Replay, otherwise: number): number {
  return wentAsRecorded(replay) ? otherwise : exitCodes.other;
}

/** Bounds that were asked for stand in the place of the verdict. */
export function boundsExitCode(outcome: RunGate['outcome'], isWaived: boolean): number {
  if (outcome === 'incomplete') return exitCodes.other;
  return outcome === 'passed' || isWaived ? exitCodes.passed : exitCodes.failed;
}

/** The command was given something wrong. It is thrown before the service is asked. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
