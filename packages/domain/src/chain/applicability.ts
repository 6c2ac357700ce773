/**
 * Which stages a case can say anything about. Connection and discovery always apply. Selection
 * needs a prompt, since only then a model chooses. Call needs an expected tool call or a negative
 * test, or that arguments which break the schema of a tool were seen to be refused. Response applies with call, with a widget assertion, and when a tool call was seen to fail.
 * User value needs an assertion, an expected output or a widget assertion.
 */
import { isErroredToolSpan, isOfArguments } from './tool-spans.ts';
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
      return hasCall || evidence.toolErrors.some(isOfArguments);
    case 'response':
      return hasCall || authored.assertsWidget || hasErroredToolCall(evidence);
    case 'userValue':
      return authored.hasAssertion || authored.hasExpectedOutput || authored.assertsWidget;
  }
}

function hasErroredToolCall({ toolErrors, spans }: TrialEvidence): boolean {
  return toolErrors.length > 0 || spans.some(isErroredToolSpan);
}
