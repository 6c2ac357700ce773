/**
 * Derives a trial's stage chain (one result row per stage) from its evidence. The same evidence
 * always gives the same rows, byte for byte. If the model provider failed, measurements that depend
 * on it are withdrawn. Then every stage after the first failed one is set to not reached.
 */

import { assertionsOf } from './assertion-owner.ts';
import { measureCall } from './call.ts';
import { categorizeFailure } from './categorize-failure.ts';
import { measureConnection } from './connection.ts';
import { measureDiscovery } from './discovery.ts';
import { limitEvidence } from './limit-evidence.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { measureResponse } from './response.ts';
import { measureSelection } from './selection.ts';
import { settleUnmeasured } from './settle-unmeasured.ts';
import { isErroredToolSpan, isOfArguments, isToolSpan } from './tool-spans.ts';
import type {
  AssertionEvidence,
  JudgedAs,
  JudgeEvidence,
  TrialEvidence,
} from './trial-evidence.ts';
import {
  analyzerVersion,
  type FailureCategory,
  type Stage,
  type StageReason,
  type StageResultRow,
  stages,
} from './vocabulary.ts';

export interface DerivedChain {
  readonly stageResults: readonly StageResultRow[];
  readonly firstFailedStage?: Stage;
  readonly failureCategory?: FailureCategory;
  readonly stageAnalyzerVersion: number;
}

export function deriveChain(evidence: TrialEvidence): DerivedChain {
  const settled = settleUnmeasured(evidence);
  const measurements = settled?.measurements ?? measureStages(evidence);
  const applied = stages.map((stage) =>
    isApplicable(stage, evidence) ? measurements[stage] : notApplicable,
  );
  const stageResults = walkStages(applied).map(toRow);
  const firstFailedStage = stageResults.find((row) => row.state === 'failed')?.stage;
  const failureCategory =
    settled === undefined ? categorizeFailure(stageResults, evidence) : settled.category;
  return {
    stageResults,
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
    stageAnalyzerVersion: analyzerVersion,
  };
}

const notApplicable: Measurement = { state: 'notApplicable', reason: 'notAuthored' };

function measureStages(evidence: TrialEvidence): Readonly<Record<Stage, Measurement>> {
  const { providerError, turns, spans, renders } = evidence;
  const settle = (measurement: Measurement, isSilent = false) =>
    providerError ? withdrawForProvider(measurement, isSilent) : measurement;
  const hasCalled = turns.some(({ calledCount = 0 }) => calledCount > 0);
  const isUncalled = !spans.some(isToolSpan);
  const connection = measureConnection(evidence);
  const discovery = measureDiscovery(evidence, connection);
  return {
    connection: settle(connection),
    // A failure of the model provider never withdraws a failed discovery, since listings do not
    // depend on a model.
    discovery: discovery.state === 'failed' ? discovery : settle(discovery),
    selection: settle(measureSelection(evidence), !hasCalled),
    call: settle(measureCall(evidence), isUncalled),
    response: settle(measureResponse(evidence), isUncalled && renders.length === 0),
    userValue: settle(measureUserValue(evidence)),
  };
}

function toRow({ state, reason, pointers }: Measurement, index: number): StageResultRow {
  const evidence = limitEvidence(pointers);
  return {
    stage: stages[index] as Stage,
    state,
    reason,
    ...(evidence !== undefined && { evidence }),
  };
}

/** Sets every stage after the first failed one to not reached. */
function walkStages(measurements: readonly Measurement[]): readonly Measurement[] {
  const firstFailed = measurements.findIndex((measurement) => measurement.state === 'failed');
  if (firstFailed === -1) return measurements;
  return measurements.map((measurement, index) => (index > firstFailed ? notReached : measurement));
}

const notReached: Measurement = { state: 'notReached', reason: 'earlierStageFailed' };

/**
 * If the model provider failed, missing evidence proves nothing. A stage then becomes not measured,
 * with the reason `providerError`, in these cases:
 *
 * - The stage was not measured, and the grader was not broken.
 * - The stage failed because something is missing.
 * - The stage passed without any call (`isSilent`).
 */
function withdrawForProvider(measurement: Measurement, isSilent = false): Measurement {
  const { state, reason } = measurement;
  const isWithdrawn =
    (state === 'notMeasured' && reason !== 'evaluatorError') ||
    (state === 'passed' && isSilent) ||
    absenceFailures.includes(reason);
  return isWithdrawn ? notMeasured('providerError') : measurement;
}

const absenceFailures: readonly StageReason[] = [
  'missingToolCall',
  'predicateFailed',
  'judgePartial',
  'judgeFailed',
];

/**
 * Returns whether a stage applies to a case. An assertion always makes its own stage apply.
 *
 * - Connection and discovery always apply.
 * - Selection needs a prompt, since otherwise no model chooses.
 * - Call needs an expected tool call, a negative test, or a call that got no result or had invalid
 *   arguments.
 * - Response needs an expected tool call, a negative test, a widget assertion, or a failed tool
 *   call.
 * - User value needs an assertion, an expected output or a widget assertion.
 */
function isApplicable(stage: Stage, evidence: TrialEvidence): boolean {
  const { authored } = evidence;
  const hasCall = authored.expectsToolCall || authored.isNegativeTest;
  if (authored.assertedStages?.includes(stage)) return true;
  switch (stage) {
    case 'connection':
    case 'discovery':
      return true;
    case 'selection':
      return authored.hasPrompt;
    case 'call':
      return hasCall || hasFailedCall(evidence);
    case 'response':
      return hasCall || authored.assertsWidget || hasErroredToolCall(evidence);
    case 'userValue':
      return authored.hasAssertion || authored.hasExpectedOutput || authored.assertsWidget;
  }
}

function hasFailedCall({ toolErrors, spans }: TrialEvidence): boolean {
  return (
    toolErrors.some((error) => error.kind === 'protocol-error' || isOfArguments(error)) ||
    spans.some((span) => isToolSpan(span) && span.mcpErrorCode !== undefined)
  );
}

function hasErroredToolCall({ toolErrors, spans }: TrialEvidence): boolean {
  return toolErrors.length > 0 || spans.some(isErroredToolSpan);
}

/**
 * Measures the user value stage. A failed grader leaves the stage unmeasured. The assertions
 * decide; the suite's judge decides only if there are none. `threshold` and `partialFloor` are
 * inclusive.
 */
function measureUserValue(evidence: TrialEvidence): Measurement {
  if (evidence.evaluatorError) return notMeasured('evaluatorError');
  const { broken, held, hasUnanswered } = assertionsOf('userValue', evidence);
  if (broken.length > 0) {
    return failed(wordFor(broken), {
      turns: broken,
      reasons: broken.map((assertion) => assertion.reason),
    });
  }
  if (hasUnanswered) return notMeasured('evaluatorError');
  if (held.length > 0) {
    return passed(held.every(isJudged) ? 'judgeObserved' : 'observed', { turns: held });
  }
  return evidence.tracePresent ? measureJudge(evidence.judge) : notMeasured('traceAbsent');
}

function wordFor(broken: readonly AssertionEvidence[]): 'predicateFailed' | JudgedAs {
  if (!broken.every(isJudged)) return 'predicateFailed';
  return broken.every(({ judgedAs }) => judgedAs === 'judgePartial')
    ? 'judgePartial'
    : 'judgeFailed';
}

function isJudged({ type }: AssertionEvidence): boolean {
  return type === 'goalCompleted';
}

function measureJudge(judge: JudgeEvidence | undefined): Measurement {
  if (judge === undefined) return notMeasured('judgeNotRequested');
  if (judge.status === 'pending') return notMeasured('judgePending');
  if (judge.status === 'errored') return notMeasured('evaluatorError');
  const { score, threshold, partialFloor, reason } = judge;
  if (![score, threshold, partialFloor].every(isFraction)) return notMeasured('evaluatorError');
  if (score >= threshold) return passed('judgeObserved', { reasons: [reason] });
  return failed(score >= partialFloor ? 'judgePartial' : 'judgeFailed', { reasons: [reason] });
}

function isFraction(value: number): boolean {
  return value >= 0 && value <= 1;
}
