/**
 * Which trials of a run somebody wants to see. `failed` picks those that failed, `notPassed` all that did not pass,
 * those that were stopped or never decided too; `notGraded` only the latter. A trial of ours that is still to come has
 * not failed to pass. A stage picks the trials that did not pass and first failed there, as far as their chain holds
 * together. A case is named by its own id or by the one that its author declared. A text is looked for in the title,
 * in what is told of the error, and in the calls that were made as they are stored; letters of ASCII match whatever
 * their case, which a database and a program do alike.
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
  /** As much of it as lists tell. */
  readonly error: string | null;
  /** Of the calls that were made, the document as it is stored. */
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

/** Whether a filter speaks only of trials that did not pass, which have an index of their own. */
export function picksNotPassed({ result, stage }: TrialFilter): boolean {
  return stage !== undefined || (result !== undefined && result !== 'passed');
}

/** Only ASCII is folded. */
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

/** A trial that was reported has its chain from the start, and nobody goes on with it. */
function hasNotPassed({ status, result, chain }: TrialToPick): boolean {
  const isToCome = chain === undefined && (status === 'pending' || status === 'running');
  return result !== 'passed' && !isToCome;
}

function firstFailedStage({ chain: stored }: TrialToPick): Stage | undefined {
  const chain = readChain(stored);
  return chain.status === 'verified' ? chain.firstFailedStage : undefined;
}
