/**
 * Warns once of each model in a suite or a case that is not configured. This is not an error: a
 * user may send the API key only with the launch, and the offered models may change. The launch
 * rejects models that it cannot run.
 */
import { chooseModel, type ModelOffer } from '../models/choose-model.ts';
import type { CaseToWarnOf, CaseWarning } from './case-warnings.ts';
import type { ModelChoice } from './eval-case.ts';

export interface StatedSuiteModel {
  /** The path of the suite's model, for example `body.model`. */
  readonly path: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

export function warnOfModels(
  /** Undefined if the request writes only cases. */
  suite: StatedSuiteModel | undefined,
  cases: readonly CaseToWarnOf[],
  offer: ModelOffer,
): CaseWarning[] {
  const warnings = new Map<string, CaseWarning>();
  for (const { path, choice } of [
    ...(suite === undefined ? [] : modelOfSuite(suite)),
    ...cases.flatMap(modelsOfCase),
  ]) {
    const chosen = chooseModel(choice, offer, []);
    if (!('refusal' in chosen) || warnings.has(chosen.refusal.message)) continue;
    const { message } = chosen.refusal;
    warnings.set(message, { path, code: 'MODEL_NOT_AVAILABLE', message });
    if (warnings.size === mostNamed) break;
  }
  return [...warnings.values()];
}

const mostNamed = 5;

interface StatedModel {
  readonly path: string;
  readonly choice: ModelChoice;
}

function modelOfSuite({ path, model, provider }: StatedSuiteModel): StatedModel[] {
  if (model === undefined) return [];
  return [{ path, choice: { model, ...(provider !== undefined && { provider }) } }];
}

/** Returns the models of a case; none for a disabled case, which is not played. */
function modelsOfCase({ path, definition, modelsName = 'models' }: CaseToWarnOf): StatedModel[] {
  if (definition.disabled === true) return [];
  return (definition.models ?? []).map((choice, index) => ({
    path: `${path}.${modelsName === 'models' ? `models[${index}]` : modelsName}`,
    choice,
  }));
}
