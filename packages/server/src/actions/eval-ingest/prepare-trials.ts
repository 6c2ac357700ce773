/**
 * Reported results as rows. This is work of the processor alone, done before the run is locked; after a while it
 * lets other requests have their turn.
 */
import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  type CaseIdentityKeys,
  identifyCase,
  type ReportedIdentity,
  type ReportedResult,
  recordTrial,
  reportedCalls,
  reportedNumber,
  storableText,
} from '@proofmark/domain';
import type { NewTrial } from '../../storage/record-iterations.ts';

export interface PreparedTrial extends NewTrial {
  /** The number the trial came with, for a run of this external id, or its place. */
  numberIn(externalRunId: string | null): number | null;
  readonly identity: CaseIdentityKeys;
  readonly isNegative: boolean;
}

export interface PrepareOptions {
  /** Results that are whole in one request are numbered by their place in it. */
  readonly numberByPlace: boolean;
  newId(): string;
}

type Reported = ReportedResult & ReportedIdentity;

const trialsPerTurn = 50;

export async function prepareTrials(
  results: readonly Reported[],
  options: PrepareOptions,
): Promise<PreparedTrial[]> {
  const prepared: PreparedTrial[] = [];
  const identify = rememberingCases();
  for (const [index, result] of results.entries()) {
    if (index > 0 && index % trialsPerTurn === 0) await othersTurn();
    const place = options.numberByPlace ? index + 1 : null;
    prepared.push(prepare(result, options.newId(), identify(result), place));
  }
  return prepared;
}

function prepare(
  result: Reported,
  id: string,
  identity: CaseIdentityKeys,
  place: number | null,
): PreparedTrial {
  const trial = recordTrial(result);
  const hasScores = trial.scores !== undefined;
  const row = {
    id,
    externalId: storable(result.externalIterationId),
    declaredCaseId: identity.declaredId,
    title: storableText(result.caseTitle),
    status: trial.status,
    result: trial.result,
    evaluatorError: trial.evaluatorError,
    model: storable(result.model),
    provider: storable(result.provider),
    startedAtMs: result.startedAt ?? null,
    durationMs: result.durationMs ?? null,
    tokensUsed: trial.tokensUsed,
    usage: trial.usage && JSON.stringify(trial.usage),
    expectedToolCalls: JSON.stringify(reportedCalls(result.expectedToolCalls)),
    actualToolCalls: JSON.stringify(reportedCalls(result.actualToolCalls)),
    error: storable(result.error),
    chain: JSON.stringify(trial.chain),
    scores: hasScores ? JSON.stringify(trial.scores) : null,
    evaluationConfig: hasScores ? JSON.stringify(trial.evaluationConfig) : null,
    scoreIntegrity: trial.scoreIntegrity,
    caseId: null,
    iterationNumber: null,
    ordinal: 0,
  };
  return {
    row,
    trace: traceOf(trial),
    identity,
    isNegative: result.isNegativeTest === true,
    numberIn: (externalRunId) => reportedNumber(result, externalRunId) ?? place,
  };
}

function traceOf({ trace, details }: ReturnType<typeof recordTrial>): NewTrial['trace'] {
  if (trace === undefined && Object.keys(details).length === 0) return undefined;
  return {
    trace: trace === undefined ? null : JSON.stringify(trace),
    details: JSON.stringify(details),
    ordinal: 0,
  };
}

/** Many trials of one request are of the same case. One with steps or a configuration is looked at each time. */
function rememberingCases(): (result: Reported) => CaseIdentityKeys {
  const known = new Map<string, CaseIdentityKeys>();
  return (result) => {
    if (result.steps !== undefined || result.advancedConfig !== undefined) return identify(result);
    const { caseTitle, caseId, externalCaseId, isNegativeTest } = result;
    const name = JSON.stringify([caseTitle, caseId, externalCaseId, isNegativeTest === true]);
    const identity = known.get(name) ?? identify(result);
    known.set(name, identity);
    return identity;
  };
}

function identify(result: Reported): CaseIdentityKeys {
  const { declaredId, caseKey, contentHash } = identifyCase(result, sha256Hex);
  return { declaredId: storable(declaredId), caseKey: storableText(caseKey), contentHash };
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An empty text says as little as none. */
function storable(text: string | null | undefined): string | null {
  return text ? storableText(text) : null;
}
