/** A case as a run holds it, and the models it runs on. */
import type { Assertion } from '../assertions/assertion.ts';
import type { MatchOptions } from '../assertions/match-options.ts';
import type { ModelParameters } from '../models/model-parameters.ts';
import type { Elicitation } from './elicitation.ts';
import type { PlannedSetup } from './setup-and-teardown.ts';
import type { Step } from './step.ts';

export interface PlannedCase extends ModelParameters, PlannedSetup {
  /** The row of the case. */
  readonly caseId: string;
  readonly caseKey: string;
  readonly declaredId?: string;
  readonly title: string;
  readonly steps: readonly Step[];
  readonly expectedOutput?: string;
  readonly isNegative: boolean;
  readonly matchOptions: MatchOptions;
  /** Of the whole case, after the suite's, the case's and the run's word on it. */
  readonly assertions: readonly Assertion[];
  readonly failOnToolError: boolean;
  /** Answers to what servers ask in any of its steps. */
  readonly elicitations?: readonly Elicitation[];
  /** What its steps may take together, in milliseconds. */
  readonly timeoutMs?: number;
  readonly passThreshold: number;
  readonly system?: string;
  readonly toolChoice?: 'auto' | 'required' | 'none';
  readonly variants: readonly PlannedVariant[];
}

export interface PlannedVariant {
  /** Absent where no model is asked. */
  readonly model?: string;
  readonly provider?: string;
  readonly repetitions: number;
}

/** The models of the variants that name one. */
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

/** In US dollars for a million tokens, of a model as the variants name it. */
export interface PlannedPrice {
  readonly model: string;
  readonly provider?: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Of a provider of the organization itself: the operator pays nothing for it. */
  readonly isOwn?: true;
}
