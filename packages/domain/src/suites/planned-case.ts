import type { Assertion } from '../assertions/assertion.ts';
import type { MatchOptions } from '../assertions/match-options.ts';
import type { PlannedScenario } from '../conformance/planned-scenario.ts';
import type { ModelParameters } from '../models/model-parameters.ts';
import type { VariantPlan } from '../statistics/follow-plan.ts';
import type { Elicitation } from './elicitation.ts';
import type { PlannedSetup } from './setup-and-teardown.ts';
import type { Step } from './step.ts';

export interface PlannedCase extends ModelParameters, PlannedSetup {
  /** The id of the case, or of its row. */
  readonly caseId: string;
  readonly caseKey: string;
  readonly declaredId?: string;
  readonly title: string;
  readonly steps: readonly Step[];
  readonly expectedOutput?: string;
  readonly isNegative: boolean;
  readonly matchOptions: MatchOptions;
  readonly assertions: readonly Assertion[];
  readonly failOnToolError: boolean;
  readonly elicitations?: readonly Elicitation[];
  /** The time limit for all steps of the case together, in milliseconds. */
  readonly timeoutMs?: number;
  readonly passThreshold: number;
  readonly system?: string;
  readonly toolChoice?: 'auto' | 'required' | 'none';
  readonly variants: readonly PlannedVariant[];
  /** The scenario of the conformance suite that plays this case; only in its runs. */
  readonly conformance?: PlannedScenario;
}

export interface PlannedVariant {
  /** Absent if the variant asks no model. */
  readonly model?: string;
  readonly provider?: string;
  /** The number of trials. For a variant with a trial plan, the most that the plan needs. */
  readonly repetitions: number;
  readonly trialPlan?: VariantPlan;
  /** Present in a replay if a trial plan decided the number of recorded trials. */
  readonly wasPlanned?: true;
}

export function modelsNamed(
  variants: readonly {
    readonly model?: string | undefined;
    readonly provider?: string | undefined;
  }[],
): { readonly model: string; readonly provider?: string }[] {
  return variants.flatMap(({ model, provider }) =>
    model === undefined ? [] : [{ model, ...(provider === undefined ? {} : { provider }) }],
  );
}

/**
 * The price of a model in US dollars per million tokens, found by the model's name in the variants.
 */
export interface PlannedPrice {
  readonly model: string;
  readonly provider?: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /**
   * Set if the model comes from the organization's own provider, so that the operator pays nothing.
   */
  readonly isOwn?: true;
}
