/**
 * Records a trial that an external program ran. A reported stage chain is stored unchanged and
 * validated whenever it is read. Without one, the chain is derived from the report's evidence. A
 * trial whose grader failed has no result, since that failure says nothing about the server.
 */

import { deriveChain } from '../chain/derive-chain.ts';
import { evidenceFromReport, type ReportedTrial } from '../chain/evidence-from-report.ts';
import { toList } from '../chain/loose-values.ts';
import type { StoredChain } from '../chain/read-chain.ts';
import { isRecord } from '../kernel/json.ts';
import type { TaskVerdict, TrialStatus } from '../verdict/decision.ts';
import { type ReportedScores, readReportedScores } from './reported-scores.ts';
import {
  type ReportedTokens,
  type ReportedTokenUsage,
  tokenUsage,
  totalReportedTokens,
} from './token-usage.ts';
import { type TraceDocument, traceDocument } from './trace-document.ts';

export interface ReportedResult {
  readonly caseTitle: string;
  readonly passed?: boolean | undefined;
  readonly status?: TrialStatus | undefined;
  readonly evaluatorError?: boolean | undefined;
  readonly query?: string | undefined;
  readonly startedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly expectedToolCalls?: readonly unknown[] | undefined;
  readonly actualToolCalls?: readonly unknown[] | undefined;
  readonly tokens?: ReportedTokens | undefined;
  readonly error?: string | undefined;
  readonly trace?: unknown;
  readonly externalIterationId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly isNegativeTest?: boolean | undefined;
  readonly expectedOutput?: string | undefined;
  readonly [other: string]: unknown;
}

export interface RecordedTrial extends ReportedScores {
  readonly status: TrialStatus;
  readonly result: TaskVerdict | null;
  readonly evaluatorError: boolean;
  readonly usage: ReportedTokenUsage | null;
  readonly tokensUsed: number | null;
  readonly chain: StoredChain;
  readonly reportedChain: StoredChain | undefined;
  readonly trace: TraceDocument | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

export function recordTrial(reported: ReportedResult): RecordedTrial {
  const metadata = isRecord(reported.metadata) ? reported.metadata : {};
  const scores = readReportedScores(metadata, reported.passed);
  const status = reported.status ?? 'completed';
  const evaluatorError =
    status === 'completed' &&
    (reported.evaluatorError === true || metadata['evaluatorError'] === true || scores.graderBroke);
  const usage = tokenUsage(reported.tokens);
  const trace = traceDocument(reported.trace);
  const reportedChain = keptChain(metadata);
  return {
    scores: scores.scores,
    evaluationConfig: scores.evaluationConfig,
    scoreIntegrity: scores.scoreIntegrity,
    graderBroke: scores.graderBroke,
    status,
    evaluatorError,
    result:
      status === 'completed' && !evaluatorError ? (reported.passed ? 'passed' : 'failed') : null,
    usage,
    tokensUsed: usage && totalReportedTokens(usage),
    chain:
      reportedChain ??
      deriveChain(evidenceFromReport(evidenceIn(reported, trace, status, evaluatorError))),
    reportedChain,
    trace,
    details: detailsOf(reported, metadata),
  };
}

export function statedNumber({ metadata }: ReportedResult): number | undefined {
  const stated = metadata?.['iterationNumber'];
  return isNumber(stated) ? stated : undefined;
}

export function numberInId(
  externalIterationId: string | undefined,
  externalRunId: string | null,
): number | undefined {
  if (externalIterationId === undefined || externalRunId === null) return undefined;
  if (!externalIterationId.startsWith(`${externalRunId}-`)) return undefined;
  const ending = externalIterationId.slice(externalRunId.length + 1);
  return /^\d{1,9}$/.test(ending) ? Number(ending) : undefined;
}

/** Copies the evidence field by field, since a report may contain any other fields. */
function evidenceIn(
  reported: ReportedResult,
  trace: TraceDocument | undefined,
  status: TrialStatus,
  evaluatorError: boolean,
): ReportedTrial {
  return {
    status,
    evaluatorError,
    trace,
    query: reported.query,
    expectedToolCalls: reported.expectedToolCalls,
    actualToolCalls: reported.actualToolCalls,
    metadata: reported.metadata,
    isNegativeTest: reported.isNegativeTest,
    expectedOutput: reported.expectedOutput,
  };
}

const chainKeys = ['stageResults', 'firstFailedStage', 'failureCategory'] as const;

function keptChain(metadata: Readonly<Record<string, unknown>>): StoredChain | undefined {
  if (chainKeys.every((key) => metadata[key] === undefined)) return undefined;
  const kept: Record<string, unknown> = {};
  for (const key of [...chainKeys, 'stageAnalyzerVersion']) {
    if (metadata[key] !== undefined) kept[key] = metadata[key];
  }
  return kept;
}

const detailKeys = [
  'query',
  'isNegativeTest',
  'expectedOutput',
  'advancedConfig',
  'matchOptions',
  'errorDetails',
  'widgetSnapshots',
] as const;

const keptElsewhere = new Set<string>([
  ...chainKeys,
  ...['stageAnalyzerVersion', 'scores', 'evaluationConfig', 'iterationNumber'],
]);

function detailsOf(reported: ReportedResult, metadata: Readonly<Record<string, unknown>>) {
  const details: Record<string, unknown> = {};
  for (const key of detailKeys) if (reported[key] !== undefined) details[key] = reported[key];
  const rest = Object.entries(metadata).filter(([key]) => !keptElsewhere.has(key));
  if (rest.length > 0) details['metadata'] = Object.fromEntries(rest);
  return details;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

/** Leaves out calls that are not objects, since they cannot be shown as calls. */
export function reportedCalls(calls: readonly unknown[] | undefined): readonly unknown[] {
  const list = toList(calls);
  return list.every(isRecord) ? list : list.filter(isRecord);
}
