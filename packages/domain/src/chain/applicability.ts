/**
 * The stages that apply to a case. Connection and discovery always apply. Selection needs a prompt,
 * since only then a model chooses. Call needs an expected tool call, a negative test, or a call
 * that got no result or was rejected because its arguments break the tool's schema; without the
 * last two, a case that only asks for an answer would blame the answer. Response applies with call,
 * with a widget assertion, and if a tool call failed. User value needs an assertion, an expected
 * output or a widget assertion. In addition, an assertion makes its own stage apply.
 */
import { isErroredToolSpan, isOfArguments, isToolSpan } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

export function isApplicable(stage: Stage, evidence: TrialEvidence): boolean {
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
