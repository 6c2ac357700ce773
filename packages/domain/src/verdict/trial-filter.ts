/**
 * A filter for the trials of a run.
 * - `failed` selects failed trials, `notGraded` trials that ended without a grade, `notPassed`
 *   both. None of them selects a pending or running trial of a launched run.
 * - `stage` selects trials that first failed at this stage, if their stage results are valid.
 * - `caseId` is compared with the case's id and its declared id.
 * - `text` is searched in the title, the visible part of the error and the stored calls. Case is
 *   ignored for ASCII letters only, because databases differ on other letters.
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
  /** Only the part of the error that lists show. */
  readonly error: string | null;
  /** The actual calls as stored, in JSON. */
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

/**
 * Whether the filter selects only trials that did not pass, for which the database has an index.
 */
export function picksNotPassed({ result, stage }: TrialFilter): boolean {
  return stage !== undefined || (result !== undefined && result !== 'passed');
}

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
 * Whether a trial ended without passing. A trial with stage results (`chain`) has ended, even if
 * its status is `pending` or `running`.
 */
function hasNotPassed({ status, result, chain }: TrialToPick): boolean {
  const isToCome = chain === undefined && (status === 'pending' || status === 'running');
  return result !== 'passed' && !isToCome;
}

function firstFailedStage({ chain: stored }: TrialToPick): Stage | undefined {
  const chain = readChain(stored);
  return chain.status === 'verified' ? chain.firstFailedStage : undefined;
}
