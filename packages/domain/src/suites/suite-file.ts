/**
 * The schema of a suite file. Unknown keys are rejected, so that misspelled keys are reported; only
 * the arguments of calls may have any key. Missing values get no defaults, so that reading a file
 * and writing it again changes nothing.
 */
import * as z from 'zod';
import type { Assertion } from '../assertions/assertion.ts';
import { positiveCount } from '../assertions/assertion-kind.ts';
import { FileQuarantineEntry } from '../gates/quarantine-of-file.ts';
import { modelParameterFields } from '../models/model-parameters.ts';
import { ReplayIgnore } from '../recordings/replay-ignore.ts';
import { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { makeTrialPlan } from '../statistics/trial-plan.ts';
import { caseIdPattern, maxConfiguredTrials, maxDistinctCases } from '../verdict/decision.ts';
import { FileCaseData } from './case-data.ts';
import { besidePlan } from './case-trials.ts';
import { Elicitations } from './elicitation.ts';
import { AdvancedConfig, caseImportStatuses, maxCaseAssertions } from './eval-case.ts';
import {
  type ContractProblem,
  contractProblemsOfCase,
  contractProblemsOfSuite,
  modelIsMissing,
  type SuiteMode,
  suiteModes,
} from './server-contract.ts';
import { setupFields } from './setup-and-teardown.ts';
import { type Step, Steps, TimeLimit } from './step.ts';
import {
  AllowWrites,
  QuarantineShare,
  RecordingPolicy,
  SessionSharing,
  StatedValidityShape,
  ToolPolicy,
} from './suite-definition.ts';
import { suiteServer } from './suite-server.ts';
import { CaseAssertion, templatesWithoutData } from './template-assertion.ts';

/** In UTF-8. */
export const largestSuiteFileBytes = 1_048_576;

/**
 * A text that is not blank. It is not trimmed, so that writing the file again gives the same text.
 */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.trim() !== '', { error: 'This must not be blank.' });

const oneLine = (max: number) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a name must not hold.
  text(max).regex(/^[^\u0000-\u001f\u007f]*$/, 'This must not hold control characters.');

const Repetitions = z.int().min(1).max(maxConfiguredTrials);
const Fraction = z.number().min(0).max(1);
const ConverterValue = z.union([z.string().min(1).max(1000), z.number()]);

const caseFields = {
  id: z.string().regex(caseIdPattern, 'An id is 1 to 128 letters, digits, _ or -.'),
  title: text(200),
  steps: Steps,
  assertions: z.array(CaseAssertion).max(maxCaseAssertions).optional(),
  expectedOutput: z.string().max(100_000).optional(),
  isNegativeTest: z.boolean().optional(),
  model: text(200).optional(),
  advancedConfig: AdvancedConfig.optional(),
  passThreshold: Fraction.optional(),
  trials: StatedTrialPlan.optional(),
  elicitations: Elicitations.optional(),
  timeoutMs: TimeLimit.optional(),
  data: FileCaseData.optional(),
  ...setupFields,
  disabled: z.boolean().optional(),
  import: z
    .strictObject({
      status: z.enum(caseImportStatuses),
      sourceCaseKey: z.string().max(1000).optional(),
      note: z.string().max(2000).optional(),
    })
    .refine(({ status, note }) => status !== 'exact' || note !== undefined, {
      error: 'A case with the import status exact needs a note that says why it is exact.',
      path: ['note'],
    })
    .optional(),
};

export const caseKeys: readonly string[] = [
  ...Object.keys(caseFields),
  'repetitions',
  'iterations',
];

/**
 * Default token limits of every case. A case replaces a default only with a limit that names no
 * tool and no server.
 */
const tokenLimitFields = {
  maximumSurfaceTokens: positiveCount.optional(),
  maximumResultTokens: positiveCount.optional(),
};

const defaultFields = {
  model: text(200).optional(),
  provider: text(200).optional(),
  ...modelParameterFields,
  passThreshold: Fraction.optional(),
  trials: StatedTrialPlan.optional(),
  validity: StatedValidityShape,
  toolPolicy: ToolPolicy.optional(),
  allowWrites: AllowWrites.optional(),
  ...tokenLimitFields,
  sessions: SessionSharing.optional(),
  recordings: RecordingPolicy.optional(),
  replayIgnore: ReplayIgnore.optional(),
  quarantineShare: QuarantineShare.optional(),
  ...setupFields,
  captureLevel: only('full', ['metadataOnly', 'none']).optional(),
};

const fileFields = {
  mode: z.enum(suiteModes),
  reportingMode: only('standard', ['restricted', 'summary']),
  suite: z.strictObject({
    id: z.string().min(1).max(128),
    name: oneLine(200),
    description: z.string().max(2000).optional(),
  }),
  target: z
    .strictObject({
      servers: z
        .array(suiteServer(oneLine(200)))
        .min(1)
        .max(200)
        .optional(),
      environment: text(200).optional(),
    })
    .refine(({ servers, environment }) => servers !== undefined || environment !== undefined, {
      error: 'A target must name servers or an environment.',
    }),
  quarantine: z.array(FileQuarantineEntry).max(maxDistinctCases).optional(),
  provenance: z
    .strictObject({
      sourceHash: z.string().min(1).max(1000),
      sourceFormat: z.string().min(1).max(1000),
      reportHash: z.string().min(1).max(1000),
      sourceFormatVersion: ConverterValue.optional(),
      converter: ConverterValue.optional(),
      converterVersion: ConverterValue.optional(),
      model: ConverterValue.optional(),
      discoverySnapshotHash: ConverterValue.optional(),
      importedAt: ConverterValue.optional(),
    })
    .optional(),
};

export const SuiteFile = z
  .discriminatedUnion(
    'schemaVersion',
    [
      z.strictObject({
        schemaVersion: z.literal('1'),
        ...fileFields,
        defaults: z.strictObject({ ...defaultFields, repetitions: Repetitions.optional() }),
        cases: cases(z.strictObject({ ...caseFields, repetitions: Repetitions.optional() })),
      }),
      z.strictObject({
        schemaVersion: z.literal('2'),
        ...fileFields,
        defaults: z.strictObject({ ...defaultFields, iterations: Repetitions.optional() }),
        cases: cases(z.strictObject({ ...caseFields, iterations: Repetitions.optional() })),
      }),
    ],
    {
      error: ({ code, input }) => {
        if (code !== 'invalid_union') return undefined;
        return Object.hasOwn(Object(input), 'schemaVersion')
          ? 'schemaVersion must be "1" or "2", in quotes.'
          : 'schemaVersion is missing; write "1" or "2", in quotes.';
      },
    },
  )
  .superRefine((file, context) => {
    for (const { path, message } of [...modeProblems(file), ...planProblems(file)]) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
    const seen = new Set<string>();
    for (const [index, one] of file.cases.entries()) {
      if (seen.has(one.id)) {
        const message = `The case id ${JSON.stringify(one.id)} is used twice.`;
        context.addIssue({ code: 'custom', path: ['cases', index, 'id'], message });
      }
      seen.add(one.id);
      for (const { path, message } of templatesWithoutData(one)) {
        context.addIssue({ code: 'custom', path: ['cases', index, ...path], message });
      }
      if (one.import !== undefined && file.provenance === undefined) {
        const message =
          'This case has import data, so the file needs the key provenance at its top.';
        context.addIssue({ code: 'custom', path: ['cases', index, 'import'], message });
      }
    }
  });
export type SuiteFile = z.infer<typeof SuiteFile>;
export type SuiteFileCase = SuiteFile['cases'][number];

/**
 * A trial plan replaces fixed counts such as `repetitions`, so a file that states both is rejected.
 * So is a plan that would need more trials than allowed.
 */
function planProblems({ defaults, cases: all }: PlannedFile): ContractProblem[] {
  const stated = [
    { place: ['defaults'], at: defaults },
    ...all.map((at, index) => ({ place: ['cases', index], at })),
  ];
  return stated.flatMap(({ place, at }) => {
    if (at.trials === undefined) return [];
    const path = [...place, 'trials'];
    const beside = besidePlan(at, ['repetitions', 'iterations', 'passThreshold']);
    if (beside !== undefined) return [{ path, message: beside }];
    const made = makeTrialPlan(at.trials);
    return 'plan' in made ? [] : [{ path, message: made.refusal.message }];
  });
}

interface PlannedFile {
  readonly defaults: { readonly trials?: StatedTrialPlan | undefined };
  readonly cases: readonly { readonly trials?: StatedTrialPlan | undefined }[];
}

interface ModedFile {
  readonly mode: SuiteMode;
  readonly defaults: Parameters<typeof contractProblemsOfSuite>[0];
  readonly cases: readonly {
    readonly steps: readonly Step[];
    readonly model?: string | undefined;
    readonly assertions?: readonly Assertion[] | undefined;
    readonly isNegativeTest?: boolean | undefined;
    readonly advancedConfig?: z.infer<typeof AdvancedConfig> | undefined;
  }[];
}

/**
 * Checks that a server contract (a suite without models) needs no model, and that every other suite
 * names one.
 */
function modeProblems({ mode, defaults, cases: all }: ModedFile): ContractProblem[] {
  if (mode !== 'serverContract') {
    return defaults.model === undefined
      ? [{ path: ['defaults', 'model'], message: modelIsMissing }]
      : [];
  }
  return [
    ...under(['defaults'], contractProblemsOfSuite(defaults)),
    ...all.flatMap(({ steps, model, assertions = [], isNegativeTest, advancedConfig }, index) =>
      under(
        ['cases', index],
        contractProblemsOfCase({
          steps,
          advancedConfig,
          isNegative: isNegativeTest === true,
          checks: { mode: 'replace', list: [...assertions] },
          ...(model !== undefined && { models: [{ model }] }),
        }),
      ),
    ),
  ];
}

function under(place: readonly (string | number)[], problems: readonly ContractProblem[]) {
  return problems.map(({ path, message }) => ({
    path: [...place, ...spelled(path)],
    message,
  }));
}

function spelled(path: ContractProblem['path']): ContractProblem['path'] {
  const [first, second, ...rest] = path;
  if (first === 'checks' && second === 'list') return ['assertions', ...rest];
  return path.map((part) => (part === 'models' ? 'model' : part));
}

function cases<Case extends z.ZodType>(shape: Case) {
  return z
    .array(shape)
    .min(1, 'A suite file has at least one case.')
    .max(maxDistinctCases, `A suite file has at most ${maxDistinctCases} cases.`);
}

function only<Word extends string>(word: Word, reserved: readonly string[]) {
  return z.literal(word, {
    error: ({ input }) =>
      reserved.includes(input as string)
        ? `${JSON.stringify(input)} is reserved for later use; write ${JSON.stringify(word)}.`
        : undefined,
  });
}
