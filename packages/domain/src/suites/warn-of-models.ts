/**
 * Models that nobody has configured, where a suite or a case names them. That is a warning and no mistake, since keys arrive
 * with a launch and what is offered changes; the launch itself rejects what it cannot run. Each model is named once.
 */
import { chooseModel, type ModelOffer } from '../models/choose-model.ts';
import type { CaseToWarnOf, CaseWarning } from './case-warnings.ts';
import type { ModelChoice } from './eval-case.ts';

export interface StatedSuiteModel {
  /** Where the suite states it, such as `body.model`. */
  readonly path: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

export function warnOfModels(
  /** Absent where only cases are written. */
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

/** A disabled case asks no model. */
function modelsOfCase({ path, definition, modelsName = 'models' }: CaseToWarnOf): StatedModel[] {
  if (definition.disabled === true) return [];
  return (definition.models ?? []).map((choice, index) => ({
    path: `${path}.${modelsName === 'models' ? `models[${index}]` : modelsName}`,
    choice,
  }));
}
