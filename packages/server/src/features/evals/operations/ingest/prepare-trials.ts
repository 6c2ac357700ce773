/**
 * Turns reported results into rows. This needs only processor time, so it is done before the run is
 * locked. It pauses regularly to let other requests proceed.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  type CaseIdentityKeys,
  identifyCase,
  numberInId,
  type ReportedIdentity,
  type ReportedResult,
  type ReportedTrialContent,
  recordTrial,
  reportedCalls,
  type StoredChain,
  scoreHashesHold,
  statedNumber,
  storableText,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import { hashOfConfig } from '../../store/evaluation-configs.ts';
import type { NewTrial } from '../../store/insert-trials.ts';

export interface PreparedTrial extends NewTrial {
  readonly identity: CaseIdentityKeys;
  readonly isNegative: boolean;
  readonly reportedChain: StoredChain | undefined;
}

export interface PrepareOptions {
  /**
   * Present if one request contains all results. Each result is then numbered at once by its
   * position within its case variant. Otherwise results are numbered when their run ends.
   */
  readonly whole?: { readonly externalRunId: string | null };
  newId(): string;
}

type Reported = ReportedResult & ReportedIdentity;

const trialsPerTurn = 100;

export async function prepareTrials(
  results: readonly Reported[],
  options: PrepareOptions,
): Promise<PreparedTrial[]> {
  const prepared: PreparedTrial[] = [];
  for (const [index, result] of results.entries()) {
    if (index > 0 && index % trialsPerTurn === 0) await othersTurn();
    prepared.push(prepare(result, options.newId(), identify(result)));
  }
  if (options.whole !== undefined) numberInOrder(prepared, options.whole.externalRunId);
  return prepared;
}

/**
 * Numbers the trials of each case variant 1, 2, 3 …, ordered by the numbers in their ids, or else
 * as in the request. Numbers in ids may count across the whole run, so they are used only for
 * sorting.
 */
function numberInOrder(prepared: readonly PreparedTrial[], externalRunId: string | null): void {
  const inOrder = prepared
    .map((trial) => ({
      trial,
      number: numberInId(trial.row.externalId, externalRunId) ?? Number.MAX_SAFE_INTEGER,
    }))
    .sort((one, other) => one.number - other.number);
  const counted = new Map<string, number>();
  for (const { trial } of inOrder) {
    const { identity, row } = trial;
    const variant = JSON.stringify([identity.caseKey, row.model, row.provider]);
    const count = (counted.get(variant) ?? 0) + 1;
    counted.set(variant, count);
    row.trialNumber ??= count;
  }
}

function prepare(result: Reported, id: string, identity: CaseIdentityKeys): PreparedTrial {
  const trial = recordTrial(result);
  const evaluationConfig =
    trial.scores === undefined ? undefined : (trial.evaluationConfig as object | undefined);
  const row = {
    id,
    externalId: storable(result.externalIterationId),
    declaredCaseId: identity.declaredId ?? undefined,
    title: storableText(result.caseTitle),
    status: trial.status,
    result: trial.result ?? undefined,
    evaluatorError: trial.evaluatorError || undefined,
    model: storable(result.model),
    provider: storable(result.provider),
    startedAtMs: result.startedAt,
    durationMs: result.durationMs,
    tokensUsed: trial.tokensUsed ?? undefined,
    usage: trial.usage ?? undefined,
    expectedToolCalls: reportedCalls(result.expectedToolCalls),
    actualToolCalls: reportedCalls(result.actualToolCalls),
    error: storable(result.error),
    chain: trial.chain,
    scores: trial.scores as object | undefined,
    evaluationConfig,
    configHash: evaluationConfig && hashOfConfig(evaluationConfig),
    scoreIntegrity: integrityOf(trial) ?? undefined,
    hasTrace: trial.trace === undefined ? undefined : (true as const),
    hasMessages: (trial.trace?.messages.length ?? 0) > 0 ? (true as const) : undefined,
    projectId: undefined,
    caseId: undefined,
    trialNumber: statedNumber(result),
    ordinal: 0,
  };
  return {
    row,
    trace: traceOf(trial),
    identity,
    isNegative: result.isNegativeTest === true,
    reportedChain: trial.reportedChain,
  };
}

export function contentOf(trial: PreparedTrial): ReportedTrialContent {
  const { row, trace, identity, reportedChain } = trial;
  return {
    identity,
    reportedChain,
    content: {
      externalId: row.externalId,
      declaredCaseId: row.declaredCaseId,
      title: row.title,
      status: row.status,
      result: row.result,
      evaluatorError: row.evaluatorError === true,
      model: row.model,
      provider: row.provider,
      startedAtMs: row.startedAtMs,
      durationMs: row.durationMs,
      usage: row.usage,
      expectedToolCalls: row.expectedToolCalls,
      actualToolCalls: row.actualToolCalls,
      error: row.error,
      scores: row.scores,
      evaluationConfig: row.evaluationConfig,
      scoreIntegrity: row.scoreIntegrity,
      trace: trace?.trace,
      details: trace?.details ?? {},
    },
  };
}

function integrityOf({
  scores,
  evaluationConfig,
  scoreIntegrity,
}: ReturnType<typeof recordTrial>): 'valid' | 'invalid' | null {
  if (scoreIntegrity !== 'valid' || scores === undefined) return scoreIntegrity;
  return scoreHashesHold(scores, evaluationConfig, sha256Hex) ? 'valid' : 'invalid';
}

function traceOf({ trace, details }: ReturnType<typeof recordTrial>): NewTrial['trace'] {
  if (trace === undefined && Object.keys(details).length === 0) return undefined;
  return { trace, details, ordinal: 0 };
}

/**
 * Caches the latest few thousand cases, because cases repeat. A case with steps or a configuration
 * is not cached.
 */
function identify(result: Reported): CaseIdentityKeys {
  if (result.steps !== undefined || result.advancedConfig !== undefined) return lookAt(result);
  const { caseTitle, caseId, externalCaseId, isNegativeTest } = result;
  const name = JSON.stringify([caseTitle, caseId, externalCaseId, isNegativeTest === true]);
  const known = identities.get(name);
  if (known !== undefined) return known;
  const identity = lookAt(result);
  if (identities.size === mostIdentities) identities.clear();
  identities.set(name, identity);
  return identity;
}

const identities = new Map<string, CaseIdentityKeys>();
const mostIdentities = 5000;

function lookAt(result: Reported): CaseIdentityKeys {
  const { declaredId, caseKey, contentHash } = identifyCase(result, sha256Hex);
  return { declaredId: storable(declaredId) ?? null, caseKey: storableText(caseKey), contentHash };
}

/** An empty text counts as absent. */
function storable(text: string | null | undefined): string | undefined {
  return text ? storableText(text) : undefined;
}
