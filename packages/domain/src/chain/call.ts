/**
 * The call stage, decided in this order:
 *
 * - Wrong arguments fail it: they differ from the expected arguments, violate an assertion about
 *   arguments, or violate the tool's schema and got an error answer.
 * - A call without a result fails it.
 * - Any other tool call passes it.
 * - A negative test passes it if its turns were summarized and no tool was called.
 */
import { assertionsOf } from './assertion-owner.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { stageWithoutTrace } from './stage-without-evidence.ts';
import { errorSpans, isOfArguments, isToolSpan, spansNamed } from './tool-spans.ts';
import type { AssertionEvidence, ToolErrorEvidence, TrialEvidence } from './trial-evidence.ts';

export function measureCall(evidence: TrialEvidence): Measurement {
  const { turns, openErrors = [] } = evidence;
  const mismatched = turns.filter((turn) => turn.argumentMismatchCount > 0);
  const refused = evidence.toolErrors.filter(isOfArguments);
  const { held, hasUnanswered, ...rows } = assertionsOf('call', evidence);
  const broken = evidence.providerError ? rows.broken.filter(restsOnCalls) : rows.broken;
  if (mismatched.length > 0 || refused.length > 0 || broken.length > 0) {
    return failed('argumentMismatch', {
      spans: [
        ...spansNamed(mismatched.flatMap((turn) => turn.mismatchedSpanIds ?? [])),
        ...errorSpans(refused),
        ...spansNamed(broken.flatMap(({ spanIds = [] }) => spanIds)),
      ],
      turns: [...mismatched, ...refused, ...broken],
      reasons: [
        ...refused.map((error) => error.argumentProblem),
        ...broken.map(({ reason }) => reason),
      ],
    });
  }

  const withoutResult = evidence.spans.filter((span) => span.mcpErrorCode !== undefined);
  const errors = evidence.toolErrors.filter((error) => error.kind === 'protocol-error');
  if (withoutResult.length > 0 || errors.length > 0) {
    return failed('protocolError', {
      spans: [...withoutResult, ...errorSpans(errors)],
      turns: errors,
      reasons: errors.map(({ exclusion }) => exclusion),
    });
  }

  const isOpen = hasUnanswered || turns.some(({ unanswered }) => unanswered);
  if (isOpen || openErrors.some(isOfCall)) return notMeasured('evaluatorError');
  const spans = evidence.spans.filter(isToolSpan);
  if (spans.length > 0) return passed('observed', { spans });
  const isSilent = turns.length > 0 && turns.every((turn) => turn.calledCount === 0);
  if (evidence.authored.isNegativeTest && isSilent) return passed('observed', { turns });
  if (held.length > 0) return passed('observed', { turns: held });
  return notMeasured(stageWithoutTrace(evidence));
}

function isOfCall(error: ToolErrorEvidence): boolean {
  return error.kind === 'protocol-error' || isOfArguments(error);
}

/**
 * A failed assertion without span ids failed because a call is missing. If the model provider
 * failed, a missing call proves nothing.
 */
function restsOnCalls({ spanIds = [] }: AssertionEvidence): boolean {
  return spanIds.length > 0;
}
