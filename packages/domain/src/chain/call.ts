/**
 * Call: wrong arguments fail it first, then a call that got no result. Any other tool call passes
 * it. A negative test passes it when its turns were summed up and no tool was called.
 */
import { traceFloor } from './evidence-floor.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { isToolSpan } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function measureCall(evidence: TrialEvidence): Measurement {
  const { turns } = evidence;
  const mismatched = turns.filter((turn) => turn.argumentMismatchCount > 0);
  if (mismatched.length > 0) return failed('argumentMismatch', { turns: mismatched });

  const withoutResult = evidence.spans.filter((span) => span.mcpErrorCode !== undefined);
  const errors = evidence.toolErrors.filter((error) => error.kind === 'protocol-error');
  if (withoutResult.length > 0 || errors.length > 0) {
    return failed('protocolError', { spans: withoutResult, turns: errors });
  }

  const spans = evidence.spans.filter(isToolSpan);
  if (spans.length > 0) return passed('observed', { spans });
  const isSilent = turns.length > 0 && turns.every((turn) => turn.calledCount === 0);
  if (evidence.authored.isNegativeTest && isSilent) return passed('observed', { turns });
  return notMeasured(traceFloor(evidence));
}
