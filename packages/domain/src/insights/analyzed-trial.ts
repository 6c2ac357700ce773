/**
 * A trial of a run, as the insight detectors read it. Missing data counts as not measured and is
 * never guessed.
 */
import { readToolCalls } from '../assertions/read-tool-calls.ts';
import { toolResultError } from '../assertions/tool-result-error.ts';
import { readChain, type StoredChain } from '../chain/read-chain.ts';
import { toolErrorsOf } from '../chain/tool-errors-of.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import type { CountedUnit } from './candidate.ts';
import { isRecordedToolSpan, type ToolUse, usesBySpans } from './tool-uses.ts';

export interface TrialToAnalyze {
  readonly ordinal: number;
  readonly id: string;
  readonly caseId: string | null;
  readonly declaredCaseId: string | null;
  readonly title: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly status: string;
  readonly result: string | null;
  readonly evaluatorError: boolean;
  readonly tokensUsed: number | null;
  readonly error: string | null;
  readonly expectedToolCalls: readonly unknown[];
  readonly actualToolCalls: readonly unknown[];
  readonly chain: StoredChain | undefined;
  readonly messages: readonly unknown[];
  readonly spans: readonly unknown[];
  readonly toolSurfaceHash: string | null;
}

export interface AnalyzedTrial extends CountedUnit {
  /**
   * Whether the trial was played to its end. Other trials say nothing about the task or the tools.
   */
  readonly wasPlayed: boolean;
  readonly verdict: 'passed' | 'failed' | undefined;
  readonly variantId: string;
  readonly variantLabel: string;
  readonly model: string | null;
  readonly tokensUsed: number | null;
  readonly tools: readonly ToolUse[];
  readonly notOffered: readonly string[];
  readonly failure: string;
  readonly failedByJudge: boolean;
  readonly failedPrompt: number | undefined;
  readonly failedTool: string | undefined;
  readonly toolSurfaceHash: string | null;
}

export function analyzeTrial(trial: TrialToAnalyze): AnalyzedTrial {
  const wasPlayed = trial.status === 'completed';
  const isGraded = wasPlayed && !trial.evaluatorError;
  const { result } = trial;
  const variant = variantOf(trial);
  const chain = readChain(trial.chain);
  const verified = chain.status === 'verified' ? chain : undefined;
  const failedRow = verified?.stages.find(({ state }) => state === 'failed');
  const calls = readToolCalls(trial.actualToolCalls);
  const tools = toolUsesOf(trial);
  const called = calls.filter(({ notMade }) => notMade === undefined);
  const names = new Set(called.map(({ toolName }) => toolName));
  const expected = readToolCalls(trial.expectedToolCalls).map(({ toolName }) => toolName);
  return {
    id: trial.id,
    order: trial.ordinal,
    targetId: modelOfTrial(trial) ?? '',
    wasPlayed,
    verdict: isGraded && (result === 'passed' || result === 'failed') ? result : undefined,
    ...variant,
    model: modelOfTrial(trial),
    tokensUsed: trial.tokensUsed,
    tools,
    notOffered: distinct(
      calls.flatMap(({ notMade, toolName }) => (notMade === 'notOffered' ? toolName : [])),
    ),
    failure: trial.error ?? failedRow?.evidence?.predicateReasons?.[0] ?? failedRow?.reason ?? '',
    failedByJudge: failedRow?.reason?.startsWith('judge') ?? false,
    failedPrompt: failedRow?.evidence?.promptIndexes?.[0],
    failedTool: {
      selection: expected.find((name) => !names.has(name)),
      call:
        toolOfSpans(trial.spans, failedRow?.evidence?.spanIds) ??
        expected.find((name) => names.has(name)),
      response: tools.find(({ errors }) => errors > 0)?.toolName,
    }[String(verified?.firstFailedStage)],
    firstFailedStage: verified?.firstFailedStage,
    failureCategory: verified?.failureCategory,
    toolSurfaceHash: trial.toolSurfaceHash,
  };
}

function toolOfSpans(
  spans: readonly unknown[],
  ids: readonly string[] | undefined = [],
): string | undefined {
  return spans
    .filter(isRecordedToolSpan)
    .find(({ id }) => typeof id === 'string' && ids.includes(id))?.toolName;
}

function variantOf(trial: TrialToAnalyze): Pick<AnalyzedTrial, 'variantId' | 'variantLabel'> {
  const label = trial.title ?? trial.declaredCaseId ?? trial.caseId ?? 'a case without a name';
  const model = modelOfTrial(trial);
  const variantLabel = model === null ? label : `${label} (${model})`;
  return { variantId: variantIdOf(trial), variantLabel };
}

/** A case variant is a case on one model. */
export function variantIdOf(
  trial: Pick<TrialToAnalyze, 'declaredCaseId' | 'caseId' | 'model' | 'provider'>,
): string {
  const id = trial.declaredCaseId ?? trial.caseId ?? 'unknown';
  const model = modelOfTrial(trial);
  return model === null ? id : `${id}.${model}`;
}

/** Returns the model of a trial with its provider, as `acme/small`; null if it used no model. */
export function modelOfTrial({
  model,
  provider,
}: Pick<TrialToAnalyze, 'model' | 'provider'>): string | null {
  if (model === null || provider === null || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}

/**
 * Counts the uses of tools by call spans, if there are any. Otherwise it counts the reported calls
 * and the errors in messages.
 */
function toolUsesOf(trial: TrialToAnalyze): ToolUse[] {
  const bySpans = usesBySpans(trial.spans, trial.toolSurfaceHash !== null);
  if (bySpans !== undefined) return bySpans;
  const calls = readToolCalls(trial.actualToolCalls).filter(
    ({ toolName, notMade }) => toolName !== '' && notMade === undefined,
  );
  const errors = toolErrorsOf(trial.messages);
  return distinct(calls.map(({ toolName }) => toolName)).map((toolName) => ({
    toolName,
    errors: errors.filter((error) => error.toolName === toolName).length,
    durationsMs: [],
  }));
}

export function errorTextOf(
  messages: readonly unknown[],
  toolName: string,
  callId?: string,
): string | undefined {
  for (const part of resultsIn(messages)) {
    if (part['toolName'] !== toolName) continue;
    if (callId !== undefined && part['toolCallId'] !== callId) continue;
    const error = toolResultError(part);
    if (error !== undefined) return error.message ?? textIn(part['output'] ?? part['result']);
  }
  return undefined;
}

function* resultsIn(messages: readonly unknown[]): Generator<Json> {
  for (const message of messages) {
    const content = isRecord(message) ? message['content'] : undefined;
    for (const part of Array.isArray(content) ? content : []) {
      if (isRecord(part) && part['type'] === 'tool-result') yield part;
    }
  }
}

function textIn(output: unknown): string {
  const value = isRecord(output) && 'value' in output ? output['value'] : output;
  const content = isRecord(value) ? value['content'] : undefined;
  const texts = (Array.isArray(content) ? content : []).flatMap((part) =>
    isRecord(part) && typeof part['text'] === 'string' ? part['text'] : [],
  );
  return texts.length > 0 ? texts.join(' ') : (JSON.stringify(value) ?? '');
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
