/**
 * Plays the parts of a mutation. A part is one case variant without a mutant, or one mutant on all
 * variants that it can affect.
 */
import {
  type AssertingCase,
  asksForUnchanged,
  asksModel,
  assertsSurface,
  caseKeyOfRow,
  type DecidedMutant,
  isToConfirm,
  type KillingCase,
  locatedAssertions,
  type Mutant,
  type MutantTrial,
  type MutantVariant,
  type MutantVerdict,
  madeSameCalls,
  type NamedVariant,
  namedTools,
  type ObservedAnswer,
  outcomeOfMutant,
  type PatternEngine,
  type PlannedCase,
  planMutants,
  type RunPlan,
  reasonWords,
  type ServerTools,
  sideOfOperator,
  suggestAssertion,
  type Transcript,
  touchesTool,
  trialsOfBase,
  trialsOfMutant,
  verdictOfVariant,
} from '@proofmark/domain';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import { boundedSchemas } from '../../../outside/mcp/schema-engine.ts';
import type { BaseOutcome, MutationRequest } from '../store/mutations.ts';
import type { OpenMutation, PlaceOfVariant, PlayedMutantTrial } from './open-mutation.ts';

export interface BaseEvidence {
  readonly listed: readonly ServerTools[];
  readonly answers: readonly ObservedAnswer[];
  /** One transcript per trial; empty if the transcripts are too large to store. */
  readonly transcripts: readonly Transcript[];
}

export interface BaseVariant extends PlaceOfVariant, NamedVariant {
  readonly planned: PlannedCase;
}

export interface KeptVariant extends BaseVariant {
  readonly evidence: BaseEvidence;
}

export function variantsOf(plan: RunPlan): BaseVariant[] {
  return plan.cases.flatMap((planned, caseIndex) =>
    planned.variants.map(({ model }, variantIndex) => ({
      planned,
      caseIndex,
      variantIndex,
      caseId: planned.caseId,
      title: planned.title,
      model: planned.steps.some(asksModel) ? (model ?? null) : null,
    })),
  );
}

const largestEvidence = 512 * 1024;

export async function playBase(
  open: OpenMutation,
  variant: BaseVariant,
  signal: AbortSignal,
): Promise<{ readonly outcome: BaseOutcome; readonly evidence?: BaseEvidence }> {
  const { caseId, title, model } = variant;
  const named = { caseId, title, model };
  const played: PlayedMutantTrial[] = [];
  for (let number = 1; number <= trialsOfBase; number += 1) {
    const one = await open.play(variant, undefined, number, signal);
    const verdict = verdictOf(one.record);
    if (verdict !== 'passed') return { outcome: { ...named, leftOut: whyLeftOut(one.record) } };
    played.push(one);
  }
  const whole = {
    listed: played[0]?.seen.listed ?? [],
    answers: played.flatMap(({ seen }) => seen.answers),
    transcripts: played.map(({ transcript }) => transcript),
  };
  const isTooLarge = JSON.stringify(whole).length > largestEvidence;
  return { outcome: named, evidence: isTooLarge ? { ...whole, transcripts: [] } : whole };
}

function verdictOf({ status, result, evaluatorError }: TrialRecord): MutantVerdict {
  if (status !== 'completed' || evaluatorError || result === null) return 'inconclusive';
  return result;
}

function whyLeftOut(record: TrialRecord): string {
  const reason = reasonOf(record);
  if (verdictOf(record) === 'failed')
    return reason ?? 'The case fails even without a change of the server.';
  return reason ?? 'The case has no result even without a change of the server.';
}

function reasonOf({ error, chain }: TrialRecord): string | null {
  if (error !== null) return error;
  const failed = chain.stageResults.find(({ state }) => state === 'failed');
  const { evidence, reason } = failed ?? {};
  const stated = evidence?.predicateReasons?.[0];
  if (stated !== undefined || reason === undefined) return stated ?? null;
  const words = reasonWords[reason];
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The same evidence always gives the same mutants. */
export function mutantsOf(request: MutationRequest, kept: readonly KeptVariant[]): Mutant[] {
  return planMutants({
    surface: kept[0]?.evidence.listed ?? [],
    answers: kept.flatMap(({ evidence }) => evidence.answers),
    seed: request.seed,
    maxMutants: request.maxMutants,
    operators: request.operators,
    isTouched: (tool) => kept.some((variant) => touches(variant, tool)),
  });
}

function touches(
  { planned, evidence }: KeptVariant,
  tool: { readonly serverName: string; readonly toolName: string },
): boolean {
  const called = evidence.transcripts.flatMap(({ toolCalls }) => toolCalls);
  return (
    touchesTool(planned, called, tool) ||
    evidence.answers.some(
      ({ serverName, toolName }) => serverName === tool.serverName && toolName === tool.toolName,
    )
  );
}

interface TriedVariant extends MutantVariant {
  readonly variant: KeptVariant;
  readonly played: readonly PlayedMutantTrial[];
}

export async function tryMutant(
  open: OpenMutation,
  mutant: Mutant,
  kept: readonly KeptVariant[],
  signal: AbortSignal,
): Promise<DecidedMutant> {
  const tried: TriedVariant[] = [];
  for (const variant of kept.filter((one) => isMetBy(mutant, one))) {
    tried.push(await tryVariant(open, mutant, variant, signal));
  }
  const outcome = outcomeOfMutant(mutant.operator, tried);
  const killedBy = outcome === 'killed' ? tried.flatMap(killingCase) : [];
  if (outcome !== 'survived') return { mutant, outcome, killedBy };
  const nearest = [...tried]
    .filter((one) => verdictOfVariant(one) === 'passed')
    .sort((one, other) => asksAbout(mutant, other.variant) - asksAbout(mutant, one.variant));
  const [first] = nearest;
  const suggestion = suggest(mutant, nearest, open.patterns);
  return {
    mutant,
    outcome,
    killedBy,
    ...(first && { nearestCase: nameOf(first.variant) }),
    ...(suggestion && { suggestion }),
  };
}

/**
 * Returns whether the mutant can affect the variant: it touches the changed tool, or asserts
 * something about the listing.
 */
function isMetBy(mutant: Mutant, variant: KeptVariant): boolean {
  const { serverName, toolName, otherToolName } = mutant;
  const names = otherToolName === undefined ? [toolName] : [toolName, otherToolName];
  if (names.some((name) => touches(variant, { serverName, toolName: name }))) return true;
  return sideOfOperator(mutant.operator) === 'surface' && assertsSurface(variant.planned);
}

async function tryVariant(
  open: OpenMutation,
  mutant: Mutant,
  variant: KeptVariant,
  signal: AbortSignal,
): Promise<TriedVariant> {
  const played: PlayedMutantTrial[] = [];
  const trials: MutantTrial[] = [];
  const before = variant.evidence.transcripts.map(({ toolCalls }) => toolCalls);
  const most = trialsOfMutant(open.isDeterministic(variant));
  let failsUnchanged = false;
  for (
    let number = 1;
    !failsUnchanged &&
    (number <= most || (number === most + 1 && isToConfirm(trials, open.servers)));
    number += 1
  ) {
    const one = await open.play(variant, mutant, number, signal);
    const { record, seen, transcript } = one;
    const trial: MutantTrial = {
      verdict: verdictOf(record),
      wasMet: seen.wasMet,
      madeSameCalls: before.some((calls) => madeSameCalls(calls, transcript.toolCalls)),
    };
    played.push(one);
    trials.push(trial);
    if (asksForUnchanged(trial)) {
      const beside = await open.play(variant, undefined, number, signal);
      failsUnchanged = verdictOf(beside.record) !== 'passed';
    }
  }
  const asserts = assertsSurface(variant.planned);
  return { variant, played, trials, failsUnchanged, assertsSurface: asserts };
}

function killingCase(tried: TriedVariant): KillingCase[] {
  if (verdictOfVariant(tried) !== 'failed') return [];
  const failed = tried.played.find(({ record }) => verdictOf(record) === 'failed');
  const stage = failed?.record.chain.firstFailedStage ?? null;
  const reason = failed === undefined ? null : reasonOf(failed.record);
  return [{ ...nameOf(tried.variant), stage, reason }];
}

function nameOf({ caseId, title, model }: BaseVariant): NamedVariant {
  return { caseId, title, model };
}

function asksAbout({ toolName }: Mutant, { planned }: KeptVariant): number {
  const asserting: AssertingCase = planned;
  return locatedAssertions(asserting).filter(({ assertion }) =>
    namedTools(assertion).some((named) => named.toolName === toolName),
  ).length;
}

/**
 * Suggests an assertion only for a case without rows, because an assertion in a case with rows
 * would apply to every row.
 */
function suggest(
  mutant: Mutant,
  nearest: readonly TriedVariant[],
  patterns: PatternEngine,
): DecidedMutant['suggestion'] {
  for (const { variant, played } of nearest) {
    const { caseId, planned, evidence } = variant;
    if (caseKeyOfRow(caseId) !== undefined) continue;
    const sameName = evidence.listed.filter(({ tools }) =>
      tools.some(({ name }) => name === mutant.toolName),
    );
    const assertion = suggestAssertion(
      mutant,
      {
        base: evidence.transcripts,
        mutant: played.filter(({ seen }) => seen.wasMet).map(({ transcript }) => transcript),
        asksModel: planned.steps.some(asksModel),
        namesServer: sameName.length > 1,
      },
      { patterns, schemas: boundedSchemas },
    );
    if (assertion !== undefined) return { caseId, assertion };
  }
  return undefined;
}
