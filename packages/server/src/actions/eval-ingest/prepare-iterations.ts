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
import type { NewIteration } from '../../storage/record-iterations.ts';

export type PreparedIteration = Omit<NewIteration, 'caseId' | 'iterationNumber'> & {
  /** The number the trial came with, for a run of this external id, or its place. */
  numberIn(externalRunId: string | null): number | null;
  readonly identity: CaseIdentityKeys;
  readonly isNegative: boolean;
};

export interface PrepareOptions {
  /** Results that are whole in one request are numbered by their place in it. */
  readonly numberByPlace: boolean;
  newId(): string;
}

const rowsPerTurn = 50;

export async function prepareIterations(
  results: readonly (ReportedResult & ReportedIdentity)[],
  options: PrepareOptions,
): Promise<PreparedIteration[]> {
  const prepared: PreparedIteration[] = [];
  const hash = rememberingHash();
  for (const [index, result] of results.entries()) {
    if (index > 0 && index % rowsPerTurn === 0) await othersTurn();
    const place = options.numberByPlace ? index + 1 : null;
    prepared.push(prepare(result, options.newId(), hash, place));
  }
  return prepared;
}

function prepare(
  result: ReportedResult & ReportedIdentity,
  id: string,
  hash: (text: string) => string,
  place: number | null,
): PreparedIteration {
  const trial = recordTrial(result);
  const identity = identifyCase(result, hash);
  const hasDetails = Object.keys(trial.details).length > 0;
  return {
    id,
    externalId: storable(result.externalIterationId),
    identity: {
      ...identity,
      caseKey: storableText(identity.caseKey),
      declaredId: storable(identity.declaredId),
    },
    declaredCaseId: storable(result.caseId || undefined),
    isNegative: result.isNegativeTest === true,
    title: storableText(result.caseTitle),
    numberIn: (externalRunId) => reportedNumber(result, externalRunId) ?? place,
    status: trial.status,
    result: trial.result,
    evaluatorError: trial.evaluatorError,
    model: storable(result.model || undefined),
    provider: storable(result.provider || undefined),
    startedAtMs: result.startedAt ?? null,
    durationMs: result.durationMs ?? null,
    tokensUsed: trial.tokensUsed,
    usage: trial.usage && JSON.stringify(trial.usage),
    expectedToolCalls: JSON.stringify(reportedCalls(result.expectedToolCalls)),
    actualToolCalls: JSON.stringify(reportedCalls(result.actualToolCalls)),
    error: storable(result.error || undefined),
    chain: JSON.stringify(trial.chain),
    scores: trial.scores === undefined ? null : JSON.stringify(trial.scores),
    evaluationConfig: trial.scores === undefined ? null : JSON.stringify(trial.evaluationConfig),
    scoreIntegrity: trial.scoreIntegrity,
    trace: trial.trace === undefined ? null : JSON.stringify(trial.trace),
    details: hasDetails ? JSON.stringify(trial.details) : null,
  };
}

/** Many trials of one request are of the same case. */
function rememberingHash(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const hash = known.get(text) ?? sha256Hex(text);
    known.set(text, hash);
    return hash;
  };
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function storable(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : storableText(text);
}
