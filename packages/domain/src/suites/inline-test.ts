/**
 * A test inside a request to create a suite or to launch a run. Every name that authoring, the API
 * or suite files use for a field of a case is accepted; if two names of one field are given, the
 * values must agree. Unknown keys are refused: a misspelled assertion would otherwise be ignored
 * silently.
 */
import * as z from 'zod';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { caseIdPattern, maxConfiguredTrials } from '../verdict/decision.ts';
import { besidePlan } from './case-trials.ts';
import type { CaseToWarnOf } from './case-warnings.ts';
import {
  type Checks,
  EvalCaseDefinition,
  ModelChoice as Model,
  type ModelChoice,
  maxCaseAssertions,
} from './eval-case.ts';
import { CaseAssertion, templatesWithoutData } from './template-assertion.ts';

const maxInlineTests = 100;

const caseShape = EvalCaseDefinition.shape;
const Id = z.string().regex(caseIdPattern);
const Runs = z.int().min(1).max(maxConfiguredTrials);

const fields = {
  id: Id,
  declaredId: Id,
  expectedOutput: caseShape.expectedOutput.unwrap(),
  runs: Runs,
  iterations: Runs,
  repetitions: Runs,
  isNegative: z.boolean(),
  isNegativeTest: z.boolean(),
  scenario: caseShape.scenario.unwrap(),
  model: Model.shape.model,
  provider: Model.shape.provider.unwrap(),
  models: z.array(Model).max(20),
  matchOptions: caseShape.matchOptions.unwrap(),
  checks: caseShape.checks.unwrap(),
  assertions: z.array(CaseAssertion).max(maxCaseAssertions),
  advancedConfig: caseShape.advancedConfig.unwrap(),
  passThreshold: caseShape.passThreshold.unwrap(),
  trials: caseShape.trials.unwrap(),
  failOnToolError: caseShape.failOnToolError.unwrap(),
  disabled: caseShape.disabled.unwrap(),
  elicitations: caseShape.elicitations.unwrap(),
  timeoutMs: caseShape.timeoutMs.unwrap(),
  data: caseShape.data.unwrap(),
  before: caseShape.before.unwrap(),
  beforeTimeoutMs: caseShape.beforeTimeoutMs.unwrap(),
  after: caseShape.after.unwrap(),
  afterTimeoutMs: caseShape.afterTimeoutMs.unwrap(),
};

export const InlineTest = z
  .strictObject({ title: caseShape.title, steps: caseShape.steps, ...nullish(fields) })
  .superRefine((test, context) => {
    for (const { path, message } of [...disagreements(test, spellings), ...otherModels(test)]) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
    for (const { path, message } of templatesWithoutData(test)) {
      context.addIssue({ code: 'custom', path, message });
    }
    const message = besidePlan(test, ['runs', 'iterations', 'repetitions', 'passThreshold']);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['trials'], message });
  })
  .meta({
    id: 'EvalTestCase',
    description:
      'A case, with all accepted names of its fields; null means not given. These are names of the same field: runs, iterations and repetitions; isNegativeTest and isNegative; id and declaredId; model with provider and models with one entry; assertions and checks that replace.',
  });
export type InlineTest = z.infer<typeof InlineTest>;

export const InlineTests = z
  .array(InlineTest)
  .min(1)
  .max(maxInlineTests)
  .superRefine((tests, context) => {
    const seen = new Set<string>();
    for (const [index, test] of tests.entries()) {
      const id = agreeing(test, spellings.declaredId);
      if (id !== undefined && seen.has(id)) {
        const message = `The id ${JSON.stringify(id)} is used by two tests.`;
        context.addIssue({ code: 'custom', path: [index, 'id'], message });
      }
      if (id !== undefined) seen.add(id);
    }
  });

/** `suite` supplies the model if a test names only a provider. */
export function caseFromInlineTest(
  test: InlineTest,
  suite: { readonly model: string },
): EvalCaseDefinition {
  const definition: Record<string, unknown> = {
    title: test.title,
    declaredId: agreeing(test, spellings.declaredId),
    steps: test.steps,
    expectedOutput: test.expectedOutput,
    iterations: agreeing(test, spellings.iterations),
    isNegative: agreeing(test, spellings.isNegative),
    scenario: test.scenario,
    models: modelsOf(test, suite.model),
    matchOptions: test.matchOptions,
    checks: agreeing(test, spellings.checks),
    advancedConfig: test.advancedConfig,
    passThreshold: test.passThreshold,
    trials: test.trials,
    failOnToolError: test.failOnToolError,
    disabled: test.disabled,
    elicitations: test.elicitations,
    timeoutMs: test.timeoutMs,
    data: test.data,
    before: test.before,
    beforeTimeoutMs: test.beforeTimeoutMs,
    after: test.after,
    afterTimeoutMs: test.afterTimeoutMs,
  };
  const stated = Object.entries(definition).filter(([, value]) => value != null);
  return Object.fromEntries(stated) as EvalCaseDefinition;
}

export function inlineCasesAt(
  path: string,
  tests: readonly InlineTest[],
  suite: { readonly model: string },
): (CaseToWarnOf & { readonly definition: EvalCaseDefinition })[] {
  return tests.map((test, index) => ({
    path: `${path}[${index}]`,
    definition: caseFromInlineTest(test, suite),
    checksName: test.checks == null && test.assertions != null ? 'assertions' : 'checks.list',
    modelsName: modelsNameOf(test),
  }));
}

const spellings = {
  declaredId: { id: (test: InlineTest) => test.id, declaredId: (test) => test.declaredId },
  iterations: {
    runs: (test: InlineTest) => test.runs,
    iterations: (test) => test.iterations,
    repetitions: (test) => test.repetitions,
  },
  isNegative: {
    isNegativeTest: (test: InlineTest) => test.isNegativeTest,
    isNegative: (test) => test.isNegative,
  },
  checks: {
    checks: (test: InlineTest) => test.checks,
    assertions: ({ assertions: list }): Checks | undefined =>
      list == null ? undefined : { mode: 'replace', list },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, (test: InlineTest) => unknown>>>>;

function modelsOf({ model, provider, models }: InlineTest, ofSuite: string) {
  const [only] = models ?? [];
  if (only !== undefined) {
    return models?.map((one) => (provider == null ? one : { ...one, provider }));
  }
  if (model == null && provider == null) return undefined;
  const choice: ModelChoice = { model: model ?? ofSuite };
  return [provider == null ? choice : { ...choice, provider }];
}

function modelsNameOf({ model, models }: InlineTest): CaseToWarnOf['modelsName'] {
  if (models != null && models.length > 0) return 'models';
  return model == null ? 'provider' : 'model';
}

function otherModels({ model, provider, models }: InlineTest) {
  if (models == null || models.length === 0 || (model == null && provider == null)) return [];
  const [only, ...others] = models;
  const isSame =
    others.length === 0 &&
    (model == null || model === only?.model) &&
    (provider == null || only?.provider === undefined || provider === only.provider);
  if (isSame) return [];
  const path = model == null ? 'provider' : 'model';
  return [{ path, message: `${path} and models contradict each other; give one of them.` }];
}

type Nullish<Shape extends Readonly<Record<string, z.ZodType>>> = {
  [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>;
};

function nullish<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape): Nullish<Shape> {
  const entries = Object.entries(shape).map(([name, one]) => [name, one.nullable().optional()]);
  return Object.fromEntries(entries) as Nullish<Shape>;
}

/**
 * The names of one field, each with a function that reads its value. Null counts as absent; all
 * values that are given must agree.
 */
type Spellings<Value, Spelled> = Readonly<
  Record<string, (value: Value) => Spelled | null | undefined>
>;

function agreeing<Value, Spelled>(
  value: Value,
  spellings: Spellings<Value, Spelled>,
): Spelled | undefined {
  return Object.values(spellings)
    .map((read) => read(value))
    .find((spelled) => spelled !== null && spelled !== undefined) as Spelled | undefined;
}

function disagreements<Value>(
  value: Value,
  things: Readonly<Record<string, Spellings<Value, unknown>>>,
): readonly { readonly path: string; readonly message: string }[] {
  return Object.values(things).flatMap((spellings) => {
    const stated = Object.entries(spellings).flatMap(([name, read]) => {
      const spelled = read(value);
      return spelled === null || spelled === undefined
        ? []
        : [{ name, text: canonicalJson(spelled) }];
    });
    const [first, ...others] = stated;
    return others
      .filter(({ text }) => text !== first?.text)
      .map(({ name }) => ({
        path: name,
        message: `${first?.name} and ${name} contradict each other; give one of them.`,
      }));
  });
}
