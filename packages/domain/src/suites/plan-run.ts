/**
 * Makes the plan of a run from the suite, its cases and the caller's overrides.
 *
 * A case runs once on each model that it names. A case without models runs on the model of the
 * environment, or else of the client. The suite's default model is used only without a client:
 * every suite has a default, which would otherwise hide the environment's model. System prompt and
 * model parameters follow the same order.
 */

import { type MatchOptionsLayer, resolveMatchOptions } from '../assertions/match-options.ts';
import type { ClientConfig } from '../clients/client-config.ts';
import type { ResolvedSkill } from '../environments/resolve-environment.ts';
import { type RunTerms, resolveTerms } from '../ingestion/run-terms.ts';
import { defaultJudgeThreshold } from '../judge/judge-bands.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { statedParameters } from '../models/model-parameters.ts';
import type { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { switchedOffOf } from '../trials/left-out.ts';
import type { CaseToPlan } from './case-to-plan.ts';
import { caseTrials, type TrialsOrPlan } from './case-trials.ts';
import { chooseCases } from './choose-cases.ts';
import { type VariantToRun, variantKey } from './choose-rerun.ts';
import { effectiveChecks } from './effective-checks.ts';
import type { EvalCaseDefinition, ModelChoice } from './eval-case.ts';
import { nameJudges } from './name-judges.ts';
import { planVariants } from './plan-variants.ts';
import type { PlannedCase, PlannedVariant } from './planned-case.ts';
import type { PlannedJudge, RunPlan } from './run-plan.ts';
import { isContract } from './server-contract.ts';
import { planSetup } from './setup-and-teardown.ts';
import type { JudgeSettings, SuiteDefinition } from './suite-definition.ts';

export const maxTrialsPerRun = 10_000;

export interface RunOverrides {
  readonly iterationOverride?: number | undefined;
  /** The trial plan for all cases of the run. */
  readonly trials?: StatedTrialPlan | undefined;
  /** Ids or declared ids of cases. */
  readonly caseIds?: readonly string[] | undefined;
  readonly matchOptionsOverride?: MatchOptionsLayer | undefined;
  readonly passCriteria?: { readonly minimumPassRate?: number | undefined } | undefined;
  readonly skillsOverride?: 'exclude' | undefined;
  /** The only variants to run. Variants that the suite no longer has are left out and reported. */
  readonly variants?: readonly VariantToRun[] | undefined;
  readonly maxCredits?: number | undefined;
  /** The model to use in place of all models of the cases. */
  readonly model?: string | undefined;
  /** The seed for models if neither case nor client nor suite sets one. */
  readonly seed?: number | undefined;
}

export interface RunToPlan {
  readonly suite: {
    readonly id: string;
    readonly name: string;
    readonly definition: SuiteDefinition;
  };
  /** The suite's cases; each data row is a separate case. */
  readonly cases: readonly CaseToPlan[];
  readonly overrides: RunOverrides;
  readonly servers: RunPlan['servers'];
  /**
   * The client that the run plays, with its model; absent if the suite runs directly on servers.
   */
  readonly played?: {
    readonly id: string;
    readonly configId: string;
    readonly config: ClientConfig;
    readonly modelId: string;
  };
  readonly skills: readonly ResolvedSkill[];
  readonly limits: RunPlan['limits'];
  /** The operator's model for judges; used if neither the assertion nor the suite names one. */
  readonly judgeModel?: string | undefined;
}

export interface PlannedRun {
  readonly plan: RunPlan;
  readonly terms: RunTerms;
  /** The maximum number of trials of the run, without replacements of ungraded trials. */
  readonly trialCount: number;
  readonly gone: readonly VariantToRun[];
}

export function planRun(run: RunToPlan): PlannedRun | { readonly refusal: Refusal } {
  const { suite, overrides } = run;
  const { settings } = suite.definition;
  const chosen = chooseCases(run.cases, overrides.caseIds);
  if ('refusal' in chosen) {
    return overrides.variants === undefined ? chosen : { refusal: nothingLeft };
  }
  if (
    overrides.passCriteria?.minimumPassRate !== undefined &&
    settings.verdictPolicyDefaults !== undefined
  ) {
    return { refusal: passCriteriaNotApplicable };
  }
  const refusal = refuseBesidePlan(run, chosen.cases);
  if (refusal !== undefined) return { refusal };
  const terms = resolveTerms(statedTerms(settings, overrides, isPlanned(run, chosen.cases)));
  const planned = planCases(run, chosen.cases, terms);
  if ('refusal' in planned) return planned;
  const { cases, trialCount, gone } = planned;
  if (cases.length === 0) return { refusal: nothingLeft };
  const judge = planJudge(settings.judge);
  if (judge !== undefined && 'refusal' in judge) return judge;
  return { plan: planOf(run, cases, judge), terms, trialCount, gone };
}

function planCases(
  run: RunToPlan,
  chosen: readonly CaseToPlan[],
  terms: RunTerms,
):
  | (Pick<PlannedRun, 'trialCount' | 'gone'> & { readonly cases: PlannedCase[] })
  | { readonly refusal: Refusal } {
  const { settings } = run.suite.definition;
  const { variants: asked } = run.overrides;
  // Every variant that is found is removed from this set, so that the missing ones remain.
  const wanted = asked && new Set(asked.map(variantKey));
  const wantedCases = asked && new Set(asked.map(({ caseId }) => caseId));
  const cases: { readonly planned: PlannedCase; readonly trials: TrialsOrPlan }[] = [];
  for (const one of chosen) {
    if (wantedCases?.has(one.id) === false) continue;
    const trials = caseTrials(run.overrides, one.definition, settings);
    const all = allVariantsOf(run, one.definition, trials);
    if (all.length === 0) return { refusal: noModel(one.definition.title) };
    const variants = all.filter(
      ({ model, provider }) =>
        wanted?.delete(variantKey({ caseId: one.id, model, provider })) !== false,
    );
    if (variants.length === 0) continue;
    const judged = nameJudges(planCase(run, one, terms, variants), settings.judge, run.judgeModel);
    if ('refusal' in judged) return judged;
    cases.push({ planned: judged, trials });
  }
  const planned = planVariants(cases);
  if ('refusal' in planned) return planned;
  const trialCount = sumRepetitions(planned.cases);
  if (trialCount > maxTrialsPerRun) return { refusal: tooManyTrials };
  const gone = (asked ?? []).filter((one) => wanted?.has(variantKey(one)));
  return { cases: planned.cases, trialCount, gone };
}

function sumRepetitions(cases: readonly PlannedCase[]): number {
  const all = cases.flatMap(({ variants }) => variants);
  return all.reduce((sum, { repetitions }) => sum + repetitions, 0);
}

function isPlanned({ suite, overrides }: RunToPlan, cases: readonly CaseToPlan[]): boolean {
  const { settings } = suite.definition;
  return cases.some(({ definition }) => 'stated' in caseTrials(overrides, definition, settings));
}

/**
 * Refuses a number of trials or a percentage for the run, since either would override the stated
 * trial plan.
 */
function refuseBesidePlan(run: RunToPlan, cases: readonly CaseToPlan[]): Refusal | undefined {
  const { iterationOverride, passCriteria } = run.overrides;
  if (!isPlanned(run, cases)) return undefined;
  if (iterationOverride !== undefined) return plannedTrials;
  return passCriteria?.minimumPassRate === undefined ? undefined : passCriteriaNotApplicable;
}

/**
 * Returns an empty list if no model is named. A server contract (a suite that asks no model) has
 * one variant without a model.
 */
function allVariantsOf(
  run: RunToPlan,
  definition: EvalCaseDefinition,
  trials: TrialsOrPlan,
): PlannedVariant[] {
  // A variant with a trial plan gets its number of trials later, together with the plan.
  const repetitions = 'repetitions' in trials ? trials.repetitions : 1;
  return isContract(run.suite.definition)
    ? [{ repetitions }]
    : variantsOf(modelsOf(run, definition), repetitions);
}

function planOf(run: RunToPlan, cases: PlannedCase[], judge: PlannedJudge | undefined): RunPlan {
  const { suite, overrides, played } = run;
  const { settings } = suite.definition;
  const firstModel = cases[0]?.variants[0]?.model ?? '';
  return {
    planVersion: 1,
    suite: { id: suite.id, name: suite.name },
    cases,
    servers: run.servers,
    client:
      played === undefined
        ? { config: { modelId: firstModel, clientCapabilities: {}, hostContext: {} } }
        : { id: played.id, configId: played.configId, config: played.config },
    skills: overrides.skillsOverride === 'exclude' ? [] : run.skills,
    ...(settings.toolPolicy === undefined ? {} : { toolPolicy: settings.toolPolicy }),
    ...(settings.allowWrites === undefined ? {} : { allowWrites: settings.allowWrites }),
    ...plannedSwitchedOff(run),
    ...(settings.sessions === 'run' ? { sessions: 'run' as const } : {}),
    ...plannedRecordings(settings),
    ...planSetup(settings),
    ...(judge === undefined ? {} : { judge }),
    ...pinnedOverrides(overrides),
    ...(overrides.maxCredits === undefined ? {} : { maxCredits: overrides.maxCredits }),
    limits: run.limits,
  };
}

/**
 * A run of chosen cases reports no disabled cases, since its caller left out other cases on
 * purpose.
 */
function plannedSwitchedOff({ cases, overrides }: RunToPlan): Pick<RunPlan, 'switchedOff'> {
  if (overrides.caseIds !== undefined || overrides.variants !== undefined) return {};
  const titles = cases.flatMap(({ definition: { disabled, title } }) => (disabled ? [title] : []));
  const switchedOff = switchedOffOf(titles);
  return switchedOff === undefined ? {} : { switchedOff };
}

function plannedRecordings({ recordings = 'all', replayIgnore }: SuiteDefinition['settings']) {
  return {
    ...(recordings === 'all' ? {} : { recordings }),
    ...(replayIgnore === undefined ? {} : { replayIgnore }),
  };
}

/** Returns the overrides of the launch, which are stored so that the launch can be repeated. */
function pinnedOverrides(overrides: RunOverrides): Pick<RunPlan, 'overrides'> {
  const { iterationOverride, trials, matchOptionsOverride, passCriteria } = overrides;
  const { skillsOverride, model, seed } = overrides;
  const stated = {
    ...(iterationOverride !== undefined && { iterationOverride }),
    ...(trials !== undefined && { trials }),
    ...(matchOptionsOverride !== undefined && { matchOptionsOverride }),
    ...(passCriteria !== undefined && { passCriteria }),
    ...(skillsOverride !== undefined && { skillsOverride }),
    ...(model !== undefined && { model }),
    ...(seed !== undefined && { seed }),
  };
  return Object.keys(stated).length === 0 ? {} : { overrides: stated };
}

/**
 * A run with a trial plan is always decided by the verdict policy, since only the policy knows the
 * passing score of each case.
 */
function statedTerms(
  settings: SuiteDefinition['settings'],
  { passCriteria }: RunOverrides,
  isPlanned: boolean,
) {
  const { minimumAccuracy } = settings;
  const policy = settings.verdictPolicyDefaults ?? (isPlanned ? {} : undefined);
  const minimumPassRate = passCriteria?.minimumPassRate ?? minimumAccuracy;
  return {
    passCriteria: { minimumPassRate },
    ...(policy !== undefined && {
      verdictPolicy: { ...policy.validity, passThreshold: policy.passThreshold },
    }),
  };
}

function modelsOf(
  { suite, played, overrides }: RunToPlan,
  { models }: EvalCaseDefinition,
): ModelChoice[] {
  if (overrides.model !== undefined) return [{ model: overrides.model }];
  if (models !== undefined) return models;
  if (played !== undefined) return [{ model: played.modelId }];
  const { model, provider } = suite.definition;
  return model === undefined ? [] : [{ model, ...(provider === undefined ? {} : { provider }) }];
}

/** Returns a variant per model. If the provider is missing, it is taken from the model's id. */
function variantsOf(models: readonly ModelChoice[], repetitions: number): PlannedVariant[] {
  const variants = new Map<string, PlannedVariant>();
  for (const { model, provider: stated } of models) {
    const provider = stated ?? providerInId(model);
    const key = `${provider ?? ''}\0${model}`;
    if (variants.has(key)) continue;
    variants.set(key, {
      model,
      ...(provider === undefined ? {} : { provider }),
      repetitions,
    });
  }
  return [...variants.values()];
}

function providerInId(model: string): string | undefined {
  const slash = model.indexOf('/');
  return slash > 0 ? model.slice(0, slash) : undefined;
}

function planCase(
  { suite, overrides, played }: RunToPlan,
  { id, caseKey, declaredId, definition }: CaseToPlan,
  terms: RunTerms,
  variants: PlannedVariant[],
): PlannedCase {
  const { settings } = suite.definition;
  const advanced = definition.advancedConfig;
  const system = advanced?.system ?? played?.config.systemPrompt ?? suite.definition.systemPrompt;
  const { expectedOutput, elicitations, timeoutMs } = definition;
  return {
    caseId: id,
    caseKey,
    ...(declaredId === null ? {} : { declaredId }),
    title: definition.title,
    steps: definition.steps,
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
    isNegative: definition.isNegative === true,
    matchOptions: resolveMatchOptions(
      settings.matchOptions,
      definition.matchOptions,
      overrides.matchOptionsOverride,
    ),
    assertions: effectiveChecks({
      suite: settings.checks,
      case: definition.checks,
      steps: definition.steps,
    }),
    failOnToolError: definition.failOnToolError !== false,
    ...(elicitations === undefined ? {} : { elicitations }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...planSetup(definition),
    passThreshold: definition.passThreshold ?? ('policy' in terms ? terms.passThreshold : 1),
    ...(system === undefined ? {} : { system }),
    ...statedParameters(advanced, played?.config, suite.definition),
    ...(advanced?.toolChoice === undefined ? {} : { toolChoice: advanced.toolChoice }),
    variants,
  };
}

function planJudge(
  judge: JudgeSettings | undefined,
): PlannedJudge | { readonly refusal: Refusal } | undefined {
  if (judge === undefined || !judge.enabled) return undefined;
  const { model, provider, threshold = defaultJudgeThreshold, autoRun = false } = judge;
  if (model !== undefined) {
    return { model, ...(provider === undefined ? {} : { provider }), threshold, autoRun };
  }
  if (!autoRun) return undefined;
  const message = 'The judge of the suite names no model; name one, or switch autoRun off.';
  return { refusal: invalid('settings.judge.model', message, { reason: 'JUDGE_MODEL_REQUIRED' }) };
}

function noModel(title: string): Refusal {
  const message = `The case ${JSON.stringify(title)} has no model; name one on the case or the suite, or run it in an environment.`;
  return invalid('model', message, { reason: 'MODEL_REQUIRED' });
}

const passCriteriaNotApplicable = invalid(
  'body.passCriteria',
  'The verdict policy of the suite decides its runs, and pass criteria cannot change that; remove passCriteria.',
  { reason: 'PASS_CRITERIA_NOT_APPLICABLE' },
);

const plannedTrials = invalid(
  'body.iterationOverride',
  'A plan decides how many trials the cases get; remove iterationOverride, or leave out the planned cases.',
  { reason: 'PLANNED_TRIALS' },
);

const nothingLeft: Refusal = {
  code: 'CONFLICT',
  message:
    'The case variants to run again are deleted, disabled or on other models; launch the suite instead.',
  details: { reason: 'NOTHING_TO_RERUN' },
};

const tooManyTrials = invalid(
  'body.iterationOverride',
  `The run would have more than ${maxTrialsPerRun.toLocaleString('en-US')} trials; choose fewer cases, models or repetitions.`,
  { reason: 'TOO_MANY_TRIALS' },
);
