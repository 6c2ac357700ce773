import { isRecord } from '@proofmark/domain';

/**
 * Whether a batch is one as nearly all are, told by a glance at its fields. It says yes only to what the schema
 * takes, and may say no to that: then the schema looks, and finds the words for what is wrong. Results come by
 * the thousand, and looking at one by the schema takes as long as recording it.
 */
export function isCommonBatch(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { runId, results, hostConfig, hostConfigHash } = body;
  return (
    isText(runId, 1, 128) &&
    hostConfig === undefined &&
    hostConfigHash === undefined &&
    Array.isArray(results) &&
    results.length >= 1 &&
    results.length <= 10_000 &&
    results.every(isCommonResult)
  );
}

function isCommonResult(result: unknown): boolean {
  if (!isRecord(result)) return false;
  const { caseTitle, caseId, externalCaseId, tokens, trace } = result;
  return (
    isText(caseTitle, 1, 1000) &&
    /\S/.test(caseTitle) &&
    typeof result['passed'] === 'boolean' &&
    result['status'] === undefined &&
    result['evaluatorError'] === undefined &&
    result['startedAt'] === undefined &&
    isAbsentOr(result['query'], isAnyText) &&
    isAbsentOr(result['durationMs'], isAmount) &&
    isAbsentOr(result['provider'], isShortText) &&
    isAbsentOr(result['model'], isShortText) &&
    isAbsentOr(result['expectedToolCalls'], isListOfRecords) &&
    isAbsentOr(result['actualToolCalls'], isListOfRecords) &&
    isAbsentOr(tokens, areTokens) &&
    isAbsentOr(result['error'], isAnyText) &&
    (trace === undefined || isAnyText(trace) || Array.isArray(trace) || isRecord(trace)) &&
    isAbsentOr(result['externalIterationId'], (id) => isText(id, 1, 256)) &&
    isAbsentOr(caseId, (id) => isText(id, 1, 128)) &&
    isAbsentOr(externalCaseId, (id) => isText(id, 1, 256)) &&
    (caseId === undefined || externalCaseId === undefined || caseId === externalCaseId) &&
    isAbsentOr(result['metadata'], isRecord) &&
    isAbsentOr(result['isNegativeTest'], (value) => typeof value === 'boolean') &&
    isAbsentOr(result['expectedOutput'], isAnyText) &&
    isAbsentOr(result['advancedConfig'], isRecord) &&
    isAbsentOr(result['matchOptions'], isRecord)
  );
}

function areTokens(tokens: unknown): boolean {
  return (
    isRecord(tokens) &&
    isAbsentOr(tokens['input'], isAmount) &&
    isAbsentOr(tokens['output'], isAmount) &&
    isAbsentOr(tokens['total'], isAmount)
  );
}

function isAbsentOr(value: unknown, isFine: (value: unknown) => boolean): boolean {
  return value === undefined || isFine(value);
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}

function isText(value: unknown, shortest: number, longest: number): value is string {
  return typeof value === 'string' && value.length >= shortest && value.length <= longest;
}

function isAnyText(value: unknown): boolean {
  return typeof value === 'string';
}

function isShortText(value: unknown): boolean {
  return isText(value, 0, 200);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}
