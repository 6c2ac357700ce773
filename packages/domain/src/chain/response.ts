/**
 * Measures the response stage, in this order:
 *
 * - An error answer, or a result that breaks the tool's output schema, fails it. An error answer to
 *   invalid arguments belongs to the call stage instead.
 * - A failed assertion about results fails it.
 * - If a widget is asserted, every attempt to render it must succeed.
 * - A successful tool call or an assertion that holds passes it.
 */
import { assertionsOf } from './assertion-owner.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { stageWithoutTrace } from './stage-without-evidence.ts';
import {
  errorSpans,
  isErroredToolSpan,
  isOfArguments,
  isToolSpan,
  spansNamed,
} from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function measureResponse(evidence: TrialEvidence): Measurement {
  const { renders } = evidence;
  const ofCall = new Set(evidence.toolErrors.filter(isOfArguments).map(({ spanId }) => spanId));
  const errored = evidence.spans.filter(
    (span) => isErroredToolSpan(span) && span.mcpErrorCode === undefined && !ofCall.has(span.id),
  );
  const errors = evidence.toolErrors.filter(
    (error) => error.kind === 'content-error' && !isOfArguments(error),
  );
  const { broken, held, ...rows } = assertionsOf('response', evidence);
  const hasUnanswered = rows.hasUnanswered || (evidence.openErrors ?? []).length > 0;
  const reasons = broken.map(({ reason }) => reason);
  if (errored.length > 0 || errors.length > 0) {
    return failed('toolError', {
      spans: [...errored, ...errorSpans(errors)],
      turns: errors,
      reasons: [...errors.map((error) => error.resultProblem), ...reasons],
    });
  }
  if (broken.length > 0) {
    const spans = spansNamed(broken.flatMap(({ spanIds = [] }) => spanIds));
    return failed('predicateFailed', { spans, turns: broken, reasons });
  }

  if (evidence.authored.assertsWidget) {
    if (renders.length === 0) return notMeasured('noEvidenceCaptured');
    const unseen = renders.filter((render) => render.status !== 'rendered');
    if (unseen.length > 0) {
      const unseenReasons = unseen.map(({ reason }) => reason);
      return failed('renderFailed', { turns: unseen, reasons: unseenReasons });
    }
    return hasUnanswered ? notMeasured('evaluatorError') : passed('observed', { turns: renders });
  }

  if (hasUnanswered) return notMeasured('evaluatorError');
  const spans = evidence.spans.filter((span) => isToolSpan(span) && isSuccessful(span));
  if (spans.length > 0) return passed('observed', { spans });
  return held.length > 0
    ? passed('observed', { turns: held })
    : notMeasured(stageWithoutTrace(evidence));
}

function isSuccessful(span: TrialEvidence['spans'][number]): boolean {
  return span.status === 'ok' && span.mcpErrorCode === undefined;
}
