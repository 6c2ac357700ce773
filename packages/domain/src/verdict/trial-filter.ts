/**
 * Which trials of a run somebody wants to see. `failed` picks those that failed, `notPassed` all that did not pass,
 * those that were stopped or never decided too; a trial of ours that is still to come has not failed to pass. A stage
 * picks the trials that did not pass and first failed there, as far as their chain holds together. A case is named by
 * its own id or by the one that its author declared.
 */
import { readChain, type StoredChain } from '../chain/read-chain.ts';
import type { Stage } from '../chain/vocabulary.ts';

export const trialResultFilters = ['failed', 'notPassed'] as const;

export interface TrialFilter {
  readonly result?: (typeof trialResultFilters)[number] | undefined;
  readonly caseId?: string | undefined;
  readonly stage?: Stage | undefined;
}

export interface TrialToPick {
  readonly status: string;
  readonly result: string | null;
  readonly caseId: string | null;
  readonly declaredCaseId: string | null;
  readonly chain: StoredChain | undefined;
}

export function picksTrial({ result, caseId, stage }: TrialFilter, trial: TrialToPick): boolean {
  if (result === 'failed' && trial.result !== 'failed') return false;
  if ((result ?? stage) !== undefined && !hasNotPassed(trial)) return false;
  if (caseId !== undefined && ![trial.caseId, trial.declaredCaseId].includes(caseId)) return false;
  return stage === undefined || firstFailedStage(trial) === stage;
}

/** A trial that was reported has its chain from the start, and nobody goes on with it. */
function hasNotPassed({ status, result, chain }: TrialToPick): boolean {
  const isToCome = chain === undefined && (status === 'pending' || status === 'running');
  return result !== 'passed' && !isToCome;
}

function firstFailedStage({ chain: stored }: TrialToPick): Stage | undefined {
  const chain = readChain(stored);
  return chain.status === 'verified' ? chain.firstFailedStage : undefined;
}
