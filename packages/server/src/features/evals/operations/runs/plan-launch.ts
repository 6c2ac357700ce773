/**
 * Plans a launch without database access, in the same way for stored and in-memory runs. The order
 * of the steps decides which refusal comes first. Between two steps, the caller reads the input of
 * the next step.
 */
import type { BodyOf } from '@proofmark/contract';
import {
  type CaseToPlan,
  type CaseToWarnOf,
  checkPlannedModels,
  chooseJudgeModel,
  countAssertsNothing,
  expandCases,
  judgesOf,
  type ListedServers,
  type ModelOffer,
  modelAskedBy,
  modelsNamed,
  mostWarnings,
  nameSavedServers,
  nameServersOfSettings,
  type PlannedJudge,
  type PlannedRun,
  planRun,
  planTrials,
  pricePlannedModels,
  type ReplayTermsOfRun,
  type RerunOf,
  type RowSample,
  type RunPlan,
  repeatAsRecorded,
  type SavedProvider,
  type StatedTrialPlan,
  type SuiteDefinition,
  type SuiteSettings,
  type TrialToMatch,
  unpricedModels,
  warnOfCases,
  warnOfGone,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { OfferedModels } from '../../../../outside/model/model-gateway.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import type { RunLimits } from '../../../../platform/spending/run-limits.ts';
import type { LaunchContext, SuiteOfContext } from './launch-context.ts';
import type { PreparedLaunch } from './prepared-launch.ts';
import type { ResolvedRerun } from './resolve-rerun.ts';

export type LaunchRequest = BodyOf<'createEvalRun'> & {
  /** Launches a part of an earlier run again instead of a whole suite. */
  readonly rerunOf?: RerunOf;
};

/** `variants` is present if only some case variants are launched. */
export type ResolvedRequest = LaunchRequest &
  Partial<Pick<ResolvedRerun, 'variants' | 'titles' | 'samples'>>;

export interface SuiteOfLaunch extends SuiteOfContext {
  readonly id: string;
  readonly name: string;
  readonly definition: SuiteDefinition;
  readonly cases: readonly CaseToPlan[];
  readonly stated?: readonly CaseToWarnOf[];
}

export interface ChosenCases {
  readonly suite: SuiteOfLaunch;
  readonly request: ResolvedRequest;
  readonly context: LaunchContext;
  readonly cases: readonly CaseToPlan[];
  readonly settings: SuiteSettings;
  readonly samples: readonly RowSample[];
}

/**
 * A case with data becomes one case per row. Its steps get the names that their servers have in
 * this run.
 */
export function chooseCases(
  suite: SuiteOfLaunch,
  request: ResolvedRequest,
  context: LaunchContext,
): ChosenCases {
  // A rerun uses the rows of the original run, even if the sample of rows has changed since.
  const named = request.variants?.map(({ caseId }) => caseId) ?? request.caseIds;
  const expanded = expandCases(suite.cases, named, sha256Hex);
  if ('refusal' in expanded) return refuse(expanded.refusal);
  return {
    suite,
    request,
    context,
    cases: nameSavedServers(suite, expanded.cases, context.servers),
    settings: nameServersOfSettings(suite, context.servers),
    samples: [...expanded.samples, ...(request.samples ?? [])],
  };
}

export interface PlannedLaunch extends PlannedRun {
  readonly chosen: ChosenCases;
  /**
   * Whether the launch may call a model or an own scorer (an organization's HTTP program). False if
   * all answers are recorded.
   */
  readonly isAsked: boolean;
}

export function planLaunch(
  chosen: ChosenCases,
  replay: ReplayToPlan | undefined,
  { maxModelSteps, trialTimeoutMs, judgeModel }: RunLimits,
): PlannedLaunch {
  const { suite, request, context, cases, settings } = chosen;
  const found = planRun({
    suite: { ...suite, definition: { ...suite.definition, settings } },
    cases,
    overrides: replay?.trials === undefined ? request : { trials: replay.trials, ...request },
    servers: context.servers,
    ...(context.played === undefined ? {} : { played: context.played }),
    skills: context.skills,
    limits: { maxModelSteps, trialTimeoutMs },
    judgeModel,
  });
  if ('refusal' in found) return refuse(found.refusal);
  const planned = replay === undefined ? found : asRecorded(found, replay, request);
  return { ...planned, chosen, isAsked: replay === undefined || asksLiveModel(replay) };
}

export interface CheckedLaunch extends PlannedLaunch {
  readonly toCheck: RunPlan;
  readonly keyed: readonly string[];
  readonly keys: Readonly<Record<string, string>>;
  readonly providerNames: readonly string[];
}

/** Rejects models that no provider offers. Keeps only the caller's keys that these models use. */
export function checkLaunchedModels(
  planned: PlannedLaunch,
  { offer }: Pick<OfferedModels, 'offer'>,
): CheckedLaunch {
  const given = planned.chosen.request.modelApiKeys ?? {};
  const keyed = Object.keys(given);
  const toCheck = planned.isAsked ? planned.plan : { ...planned.plan, cases: [] };
  const checked = checkPlannedModels(toCheck, offer, keyed);
  if ('refusal' in checked) return refuse(checked.refusal);
  const keys: Record<string, string> = {};
  for (const provider of checked.keyedProviders) {
    const key = given[provider];
    if (key !== undefined) keys[provider] = key;
  }
  return { ...planned, toCheck, keyed, keys, providerNames: checked.providers };
}

export interface LaunchFacts extends Pick<RunPlan, 'overlay' | 'overlayHash'> {
  readonly models: Pick<OfferedModels, 'offer' | 'priceOf' | 'isPaidByOperator'>;
  readonly saved: readonly SavedProvider[];
  readonly servers: ListedServers;
  /** Why widgets cannot be rendered; null if they can. */
  readonly noWidgets: string | null;
}

export function priceLaunch(
  checked: CheckedLaunch,
  { models, saved, servers, noWidgets, ...overlaid }: LaunchFacts,
): PreparedLaunch {
  const { chosen, isAsked, toCheck, keyed, keys, providerNames, ...planned } = checked;
  const { suite, request, context, settings } = chosen;
  const { judge } = planned.plan;
  const asked = [...toCheck.cases, { variants: judgesOf(planned.plan.cases) }];
  const choices = asked.flatMap(({ variants }) => modelsNamed(variants));
  const ofRun = judge?.autoRun === true ? [{ variants: [judge] }] : [];
  const prices = pricePlannedModels([...asked, ...ofRun], models.offer, keyed, (model) => {
    const price = models.priceOf(model);
    return price && !models.isPaidByOperator(model) ? { ...price, isOwn: true } : price;
  });
  const judged = judge?.autoRun === true ? [...choices, judge] : choices;
  const paidFor = isAsked ? judged : [];
  const isJudged = judge?.autoRun === true;
  const warnings = [
    ...warnOfGone(planned.gone, (caseId) => request.titles?.get(caseId)),
    ...warnOfCases(casesToWarnOf(suite, chosen.cases, planned.plan), settings, servers, {
      noWidgets,
    }),
  ].slice(0, mostWarnings);
  return {
    ...planned,
    plan: {
      ...planned.plan,
      prices,
      warnings,
      ...overlaid,
      ...(judge && { judge: keyedJudge(judge, models.offer, keyed) }),
    },
    suiteId: suite.id,
    ...(request.rerunOf && { rerunOf: request.rerunOf }),
    context,
    keys,
    providers: saved.filter(({ name }) => providerNames.includes(name)),
    unpriced: unpricedModels(paidFor, models.offer, keyed, models),
    assertsNothing: countAssertsNothing(planned.plan.cases, { isJudged, servers }),
    samples: chosen.samples,
  };
}

function casesToWarnOf(
  { cases, stated }: SuiteOfLaunch,
  expanded: readonly CaseToPlan[],
  plan: PlannedRun['plan'],
): CaseToWarnOf[] {
  const planned = new Set(plan.cases.map(({ caseId }) => caseId));
  const played = new Map<string, CaseToPlan>();
  for (const one of expanded) {
    const id = one.rowOf?.id ?? one.id;
    if (planned.has(one.id) && !played.has(id)) played.set(id, one);
  }
  return cases.flatMap(({ id, definition: { title } }, index) => {
    const one = played.get(id);
    if (one === undefined) return [];
    return [
      stated?.[index] ?? { path: `cases[${index}]`, definition: { ...one.definition, title } },
    ];
  });
}

/**
 * Marks a judge that uses the caller's key. A later request without this key must not run the judge
 * at another party's cost.
 */
function keyedJudge(
  judge: PlannedJudge,
  offer: ModelOffer,
  keyed: readonly string[],
): PlannedJudge {
  const chosen = judge.autoRun ? chooseJudgeModel(judge, offer, keyed) : undefined;
  const isKeyed = chosen !== undefined && !('refusal' in chosen) && !chosen.hosted;
  return isKeyed ? { ...judge, isOnCallersKey: true } : judge;
}

/** A replay plans only trials with recordings. */
interface ReplayToPlan {
  readonly terms: ReplayTermsOfRun;
  /** Includes trials whose recording cannot be replayed. */
  readonly recorded: readonly TrialToMatch[];
  /** The trial plan of the replayed run; absent if its launch had none. */
  readonly trials?: StatedTrialPlan;
}

function asRecorded(
  planned: PlannedRun,
  { terms, recorded }: ReplayToPlan,
  { iterationOverride }: { readonly iterationOverride?: number | undefined },
): PlannedRun {
  const cases = repeatAsRecorded(planned.plan.cases, recorded, terms.model, iterationOverride);
  const plan = { ...planned.plan, cases, replay: terms, ...judgeOf(planned.plan, terms) };
  return { ...planned, plan, trialCount: planTrials(plan).length };
}

/** A replay may call a model always, or only after a divergence. */
function asksLiveModel({ terms }: Pick<ReplayToPlan, 'terms'>): boolean {
  return modelAskedBy(terms) !== 'never';
}

/**
 * Fully recorded conversations were judged when they were recorded. So a judge reads them again
 * only on request.
 */
function judgeOf(
  { judge }: PlannedRun['plan'],
  terms: ReplayToPlan['terms'],
): Pick<PlannedRun['plan'], 'judge'> {
  return judge && !asksLiveModel({ terms }) ? { judge: { ...judge, autoRun: false } } : {};
}
