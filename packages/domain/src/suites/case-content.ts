/** The content of a planned case in two parts: the requests and the grading. */
import type { Json } from '../kernel/json.ts';
import { type PartChange, partChanges } from '../kernel/part-changes.ts';
import { statedParameters } from '../models/model-parameters.ts';
import type { PlannedCase } from './planned-case.ts';

export function askedOfCase(planned: PlannedCase): Json {
  const { steps, expectedOutput, isNegative, system, toolChoice, variants } = planned;
  const { elicitations, before, after, timeoutMs } = planned;
  return {
    steps,
    expectedOutput,
    isNegative,
    system,
    ...statedParameters(planned),
    toolChoice,
    elicitations,
    timeoutMs,
    before,
    after,
    models: variants.map(({ model, provider }) => ({ model, provider })),
  };
}

export function gradingOfCase(planned: PlannedCase): Json {
  const { matchOptions, assertions, failOnToolError, passThreshold } = planned;
  return { matchOptions, assertions, failOnToolError, passThreshold };
}

/**
 * Returns the content that affects the results of a case variant, besides its model and the tools.
 * Thresholds and repetitions are left out, because they do not affect results.
 */
export function contentOfCase(planned: PlannedCase): Json {
  const { models: _models, ...asked } = askedOfCase(planned);
  const { passThreshold: _threshold, ...graded } = gradingOfCase(planned);
  return { asked, graded };
}

function askedAndHowOften(planned: PlannedCase): Json {
  const perVariant = planned.variants.map(({ repetitions }) => repetitions);
  const isEven = new Set(perVariant).size === 1;
  return { ...askedOfCase(planned), repetitions: isEven ? perVariant[0] : perVariant };
}

export interface CaseContentChange {
  readonly caseKey: string;
  readonly title: string;
  readonly asked: readonly PartChange[];
  readonly graded: readonly PartChange[];
}

export function caseContentChanges(
  before: readonly PlannedCase[],
  after: readonly PlannedCase[],
): CaseContentChange[] {
  const known = new Map(before.map((one) => [one.caseKey, one]));
  return after.flatMap((is): CaseContentChange[] => {
    const was = known.get(is.caseKey);
    if (was === undefined) return [];
    const asked = partChanges(askedAndHowOften(was), askedAndHowOften(is));
    const graded = partChanges(gradingOfCase(was), gradingOfCase(is));
    if (asked.length + graded.length === 0) return [];
    return [{ caseKey: is.caseKey, title: is.title, asked, graded }];
  });
}
