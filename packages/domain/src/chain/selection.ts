/**
 * Measures the selection stage. A missing expected call or a failed assertion about the chosen tool
 * always fails it. Extra calls fail it only if the turn failed and wrong arguments do not explain
 * the failure. If some calls could not be compared, or an assertion has no answer, the stage is not
 * measured.
 */
import { assertionsOf, isReportedAs } from './assertion-owner.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { metadataQuotes } from './metadata-quotes.ts';
import { stageWithoutTrace } from './stage-without-evidence.ts';
import { spansNamed } from './tool-spans.ts';
import type { AssertionEvidence, TrialEvidence, TurnEvidence } from './trial-evidence.ts';

export function measureSelection(evidence: TrialEvidence): Measurement {
  const { turns } = evidence;
  const { broken, hasUnanswered } = assertionsOf('selection', evidence);
  for (const { reason, isIn } of failures) {
    const failedTurns = turns.filter(isIn);
    const assertions = broken.filter((assertion) => isReportedAs(reason, assertion));
    if (failedTurns.length === 0 && assertions.length === 0) continue;
    const ids = [...failedTurns, ...assertions].flatMap(isUnexpected(reason) ? spanIdsOf : none);
    return failed(reason, {
      spans: spansNamed(ids),
      turns: [...failedTurns, ...assertions],
      // Quotes come first, so that the limit on reasons never removes them: the category `metadata`
      // depends on them.
      reasons: [
        ...metadataQuotes(evidence),
        ...exclusionsOf(failedTurns, assertions),
        ...assertions.map((assertion) => assertion.reason),
      ],
    });
  }
  if (hasUnanswered || turns.some(({ unanswered }) => unanswered)) {
    return notMeasured('evaluatorError');
  }
  if (turns.length === 0) return notMeasured(stageWithoutTrace(evidence));
  if (turns.some((turn) => turn.unexpectedCount > 0 && turn.passed === undefined)) {
    return notMeasured('matchVerdictUnavailable');
  }
  return passed('observed', { turns });
}

const failures = [
  { reason: 'missingToolCall', isIn: (turn: TurnEvidence) => turn.missingCount > 0 },
  { reason: 'unexpectedToolCall', isIn: isFailedByExtras },
] as const;

function isUnexpected(reason: (typeof failures)[number]['reason']): boolean {
  return reason === 'unexpectedToolCall';
}

function exclusionsOf(
  turns: readonly TurnEvidence[],
  assertions: readonly AssertionEvidence[],
): readonly string[] {
  const ofTurns = turns.flatMap(({ exclusions = [] }) => exclusions);
  return [...new Set([...ofTurns, ...assertions.flatMap(({ exclusion = [] }) => exclusion)])];
}

/** A missing call has no span, so the list may be empty. */
function spanIdsOf(one: TurnEvidence | AssertionEvidence): readonly string[] {
  return ('type' in one ? one.spanIds : one.unexpectedSpanIds) ?? [];
}

function none(): readonly string[] {
  return [];
}

function isFailedByExtras(turn: TurnEvidence): boolean {
  return turn.unexpectedCount > 0 && turn.passed === false && turn.argumentMismatchCount === 0;
}
