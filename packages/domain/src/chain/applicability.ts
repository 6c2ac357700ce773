/**
 * Which stages a case can say anything about. Connection and discovery always apply. Selection
 * needs a prompt, since only then a model chooses. Call needs an expected tool call or a negative
 * test, or that a call was seen to get no result or to be refused for arguments which break the schema of
 * its tool: a case that asks for an answer alone must not be told that the answer was at fault. Response
 * applies with call, with a widget assertion, and when a tool call was seen to fail.
 * User value needs an assertion, an expected output or a widget assertion.
 */
import { isErroredToolSpan, isOfArguments, isToolSpan } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

export function isApplicable(stage: Stage, evidence: TrialEvidence): boolean {
  const { authored } = evidence;
  const hasCall = authored.expectsToolCall || authored.isNegativeTest;
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
