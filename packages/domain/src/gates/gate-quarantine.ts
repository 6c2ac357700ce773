/**
 * What a quarantine does at the gate of a run. The verdict of the run stays. The gate lets a failed
 * run through if an entry in force holds for every case variant that failed. An entry that is stale
 * fails the gate, of a run that passed, too.
 */
import { caseOfRow } from '../verdict/case-history.ts';
import type { DecisionCase } from '../verdict/decision.ts';
import type { QuarantineEntry } from './quarantine-entry.ts';

export interface RunWithQuarantine<Entry extends QuarantineEntry> {
  /** The cases of the decision; absent if the run was not decided by cases. */
  readonly cases: readonly DecisionCase[] | undefined;
  /**
   * Trials of the run that did not pass. They name the models of cases that were played on one
   * model, which the decision does not repeat.
   */
  readonly notPassed?: readonly TrialOnModel[];
  readonly entries: readonly Entry[];
}

export interface TrialOnModel {
  /** The declared id of the case. */
  readonly caseId?: string | null | undefined;
  readonly testCaseId: string | null;
  readonly model: string | null;
}

export interface LetThrough<Entry extends QuarantineEntry = QuarantineEntry> {
  readonly variant: DecisionCase;
  readonly entry: Entry;
}

export interface QuarantineAtGate<Entry extends QuarantineEntry = QuarantineEntry> {
  /** The case variants that failed, and for which an entry is in force. */
  readonly letThrough: readonly LetThrough<Entry>[];
  readonly stale: readonly Entry[];
  /** Whether variants failed, and an entry is in force for each of them. */
  readonly excusesAll: boolean;
}

export function gateQuarantine<Entry extends QuarantineEntry>({
  cases = [],
  notPassed = [],
  entries,
}: RunWithQuarantine<Entry>): QuarantineAtGate<Entry> {
  const inForce = entries.filter(({ state }) => state === 'inForce');
  const failed = cases.filter(({ verdict }) => verdict === 'failed');
  const letThrough = failed.flatMap((variant) => {
    const entry = inForce.find((one) => isOfVariant(one, variant, notPassed));
    return entry === undefined ? [] : [{ variant, entry }];
  });
  return {
    letThrough,
    stale: entries.filter(({ state }) => state !== 'inForce'),
    excusesAll: failed.length > 0 && letThrough.length === failed.length,
  };
}

/** Whether any entry names a model, so that the model of the run has to be known. */
export function asksForModel(
  entries: readonly Pick<QuarantineEntry, 'model' | 'state'>[],
): boolean {
  return entries.some(({ model, state }) => model !== null && state === 'inForce');
}

function isOfVariant(
  entry: QuarantineEntry,
  { caseId, executionVariant }: DecisionCase,
  notPassed: readonly TrialOnModel[],
): boolean {
  const { decisionCaseIds, model } = entry;
  const isOfCase = [caseId, caseOfRow(caseId)].some((id) => decisionCaseIds.includes(id));
  if (!isOfCase) return false;
  if (model === null) return true;
  if (executionVariant !== undefined) return model === executionVariant.model;
  const own = notPassed.filter((trial) => isOfEntry(entry, trial));
  // Without a trial that shows the model, nothing is excused.
  return own.length > 0 && own.every((trial) => trial.model === model);
}

function isOfEntry(entry: QuarantineEntry, { caseId, testCaseId }: TrialOnModel): boolean {
  const ids = [caseId, testCaseId].flatMap((id) => (id == null ? [] : [id, caseOfRow(id)]));
  return ids.some((id) => id === entry.caseId || entry.decisionCaseIds.includes(id));
}
