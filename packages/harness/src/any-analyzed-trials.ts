import { type AnalyzedTrial, type CountedUnit, failureCategories, stages } from '@proofmark/domain';
import fc from 'fast-check';

export function trialOf(more: Partial<AnalyzedTrial> = {}): AnalyzedTrial {
  return {
    id: 'itr_1',
    order: 1,
    targetId: 'm',
    wasPlayed: true,
    verdict: 'passed',
    variantId: 'case.m',
    variantLabel: 'Case (m)',
    model: 'm',
    tokensUsed: null,
    tools: [],
    notOffered: [],
    failure: '',
    failedByJudge: false,
    failedPrompt: undefined,
    failedTool: undefined,
    toolSurfaceHash: null,
    ...more,
  };
}

export const anyUnits = fc.uniqueArray(
  fc.record<CountedUnit>({
    id: fc.string({ minLength: 1, maxLength: 5 }),
    order: fc.nat(20),
    targetId: fc.constantFrom('a', 'b', 'c'),
    firstFailedStage: fc.constantFrom(undefined, ...stages),
    failureCategory: fc.constantFrom(undefined, ...failureCategories),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);

const anyName = fc.constantFrom('a', 'b', 'c:d', 'line\nend', '__proto__');

export const anyTrials = fc
  .array(
    fc.record({
      wasPlayed: fc.boolean(),
      verdict: fc.constantFrom('passed' as const, 'failed' as const, undefined),
      variantId: anyName,
      variantLabel: fc.string(),
      targetId: anyName,
      model: fc.option(anyName),
      tokensUsed: fc.option(fc.nat(1000)),
      tools: fc.uniqueArray(
        fc.record({
          toolName: anyName,
          errors: fc.nat(3),
          durationsMs: fc.array(fc.nat(1000), { maxLength: 3 }),
        }),
        { selector: ({ toolName }) => toolName, maxLength: 3 },
      ),
      notOffered: fc.uniqueArray(anyName, { maxLength: 2 }),
    }),
    { maxLength: 40 },
  )
  .map((trials) =>
    trials.map((one, index) => trialOf({ ...one, id: `itr_${index}`, order: index })),
  );
