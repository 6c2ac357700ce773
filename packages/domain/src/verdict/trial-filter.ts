/**
 * A filter for the trials of a run. `failed` selects those that failed; `notPassed` all that did
 * not pass, including stopped and undecided ones; `notGraded` only the latter. A pending or running
 * trial of ours does not count as "not passed". A stage selects the trials that did not pass and
 * first failed there, if their chain is valid. A case is named by its own id or its declared id. A
 * text is searched in the title, in the listed part of the error, and in the stored document of the
 * actual calls. ASCII letters match in either case, in a database and a program alike.
 */
import { readChain, type StoredChain } from '../chain/read-chain.ts';
import type { Stage } from '../chain/vocabulary.ts';

export const trialResultFilters = ['failed', 'notPassed', 'notGraded', 'passed'] as const;

export interface TrialFilter {
  readonly result?: (typeof trialResultFilters)[number] | undefined;
  readonly caseId?: string | undefined;
  readonly stage?: Stage | undefined;
  readonly model?: string | undefined;
  readonly text?: string | undefined;
}

export interface TrialToPick {
  readonly status: string;
  readonly result: string | null;
  readonly caseId: string | null;
  readonly declaredCaseId: string | null;
  readonly chain: StoredChain | undefined;
  readonly model: string | null;
  readonly title: string | null;
  /** The part of it that lists show. */
  readonly error: string | null;
  /** The stored document of the actual calls. */
  readonly calls: string;
}

export function picksTrial(filter: TrialFilter, trial: TrialToPick): boolean {
  const { caseId, stage, model, text } = filter;
  if (!isOfResult(filter, trial)) return false;
  if (caseId !== undefined && ![trial.caseId, trial.declaredCaseId].includes(caseId)) return false;
  if (model !== undefined && trial.model !== model) return false;
  if (text !== undefined && !hasText(trial, text)) return false;
  return stage === undefined || firstFailedStage(trial) === stage;
}

/** Whether a filter selects only trials that did not pass, which have a separate index. */
export function picksNotPassed({ result, stage }: TrialFilter): boolean {
  return stage !== undefined || (result !== undefined && result !== 'passed');
}

/** Folds only ASCII. */
export function foldText(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isOfResult(filter: TrialFilter, trial: TrialToPick): boolean {
  const { result } = filter;
  if (result === 'failed' && trial.result !== 'failed') return false;
  if (result === 'notGraded' && trial.result === 'failed') return false;
  if (result === 'passed' && trial.result !== 'passed') return false;
  return !picksNotPassed(filter) || hasNotPassed(trial);
}

function hasText({ title, error, calls }: TrialToPick, text: string): boolean {
  const wanted = foldText(text);
  return [title, error, calls].some((one) => one !== null && foldText(one).includes(wanted));
}

/**
 * Whether a trial ended without passing. A reported trial has its chain from the start and does not
 * continue.
 */
function hasNotPassed({ status, result, chain }: TrialToPick): boolean {
  const isToCome = chain === undefined && (status === 'pending' || status === 'running');
  return result !== 'passed' && !isToCome;
}

function firstFailedStage({ chain: stored }: TrialToPick): Stage | undefined {
  const chain = readChain(stored);
  return chain.status === 'verified' ? chain.firstFailedStage : undefined;
}
