/**
 * A test as it is sent along with a new suite or a run. Keys nobody knows are passed over here, since published tools
 * send more than is needed; what is known must be right.
 */
import * as z from 'zod';
import { caseIdPattern } from '../verdict/decision.ts';
import { AdvancedConfig, type EvalCaseDefinition } from './eval-case.ts';
import { Steps } from './step.ts';

export const maxInlineTests = 100;

export const InlineTest = z
  .object({
    id: z.string().regex(caseIdPattern).optional(),
    title: z.string().trim().min(1).max(200),
    steps: Steps,
    runs: z.int().min(1).max(10).optional(),
    model: z.string().trim().min(1).max(200).optional(),
    provider: z.string().trim().min(1).max(200).optional(),
    isNegativeTest: z.boolean().optional(),
    expectedOutput: z.string().max(100_000).optional(),
    scenario: z.string().max(10_000).optional(),
    advancedConfig: z.object(AdvancedConfig.shape).optional(),
  })
  .meta({ id: 'EvalTestCase' });
export type InlineTest = z.infer<typeof InlineTest>;

export const InlineTests = z
  .array(InlineTest)
  .min(1)
  .max(maxInlineTests)
  .superRefine((tests, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of tests.entries()) {
      if (id !== undefined && seen.has(id)) {
        const message = `The id ${JSON.stringify(id)} is used by two tests.`;
        context.addIssue({ code: 'custom', path: [index, 'id'], message });
      }
      if (id !== undefined) seen.add(id);
    }
  });

/** `suite` says the model for a test that names only a provider. */
export function caseFromInlineTest(
  test: InlineTest,
  suite: { readonly model: string },
): EvalCaseDefinition {
  const { model, provider } = test;
  const ownModel = model !== undefined || provider !== undefined;
  return {
    title: test.title,
    ...(test.id !== undefined && { declaredId: test.id }),
    steps: test.steps,
    ...(test.expectedOutput !== undefined && { expectedOutput: test.expectedOutput }),
    ...(test.runs !== undefined && { iterations: test.runs }),
    ...(test.isNegativeTest !== undefined && { isNegative: test.isNegativeTest }),
    ...(test.scenario !== undefined && { scenario: test.scenario }),
    ...(ownModel && {
      models: [{ model: model ?? suite.model, ...(provider !== undefined && { provider }) }],
    }),
    ...(test.advancedConfig !== undefined && { advancedConfig: test.advancedConfig }),
  };
}
