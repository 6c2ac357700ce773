/**
 * The model of a trial, as far as its calls are known. It is named if trials of the same case ran
 * on several models, since a number alone is then ambiguous.
 */
import { type DecisionDiagnostic, type Sentence, say, theirs } from '@proofmark/domain';
import type { TrialCalls } from './show-call.ts';

export interface TrialModels {
  keyOf(trial: DecisionDiagnostic): string;
  /** Returns ` on small (acme)`, or nothing. */
  nameOf(trial: DecisionDiagnostic): Sentence;
}

export function trialModels(
  trials: readonly DecisionDiagnostic[],
  calls: ReadonlyMap<string, TrialCalls> | undefined,
): TrialModels {
  const ranOn = ({ iterationId }: DecisionDiagnostic) => {
    const { model, provider } = calls?.get(iterationId) ?? {};
    return { model: model ?? undefined, provider: provider ?? undefined };
  };
  const keyOf = (trial: DecisionDiagnostic) => JSON.stringify(ranOn(trial));
  const modelsOfCase = new Map<string, Set<string>>();
  for (const trial of trials) {
    const models = modelsOfCase.get(caseOf(trial)) ?? new Set();
    modelsOfCase.set(caseOf(trial), models.add(keyOf(trial)));
  }
  return {
    keyOf,
    nameOf(trial) {
      const { model, provider } = ranOn(trial);
      const isOnly = (modelsOfCase.get(caseOf(trial))?.size ?? 0) < 2;
      if (isOnly || model === undefined) return [];
      const named = provider === undefined ? '' : say` (${theirs(provider)})`;
      return say` on ${theirs(model)}${named}`;
    },
  };
}

function caseOf({ caseId, testCaseId, title }: DecisionDiagnostic): string {
  return JSON.stringify([caseId, testCaseId, title]);
}
