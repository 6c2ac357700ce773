/** A case in the plan of a run, and its models. */
import type { Assertion } from '../assertions/assertion.ts';
import type { MatchOptions } from '../assertions/match-options.ts';
import type { ModelParameters } from '../models/model-parameters.ts';
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
  /** The assertions of the whole case, combined from suite, case and run. */
  readonly assertions: readonly Assertion[];
  readonly failOnToolError: boolean;
  /** Answers to questions of servers in any of its steps. */
  readonly elicitations?: readonly Elicitation[];
  /** The time limit for all its steps together, in milliseconds. */
  readonly timeoutMs?: number;
  readonly passThreshold: number;
  readonly system?: string;
  readonly toolChoice?: 'auto' | 'required' | 'none';
  readonly variants: readonly PlannedVariant[];
}

export interface PlannedVariant {
  /** Absent if no model is asked. */
  readonly model?: string;
  readonly provider?: string;
  readonly repetitions: number;
}

/** Returns the models of the variants that name one. */
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
 * The price of a model in US dollars per million tokens, under the model's name in the variants.
 */
export interface PlannedPrice {
  readonly model: string;
  readonly provider?: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** From a provider of the organization, for which the operator pays nothing. */
  readonly isOwn?: true;
}
