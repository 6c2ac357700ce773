/**
 * Finds the calls that make an assertion fail, so that the assertion's result can name the spans of
 * those calls. A call breaks an assertion if the assertion fails for that call alone.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import { callsMadeIn } from '../assertions/call-scope.ts';
import { type AssertionSubject, evaluateKnownAssertion } from '../assertions/evaluate-assertion.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import { stageOfAssertion } from '../chain/assertion-owner.ts';
import { evidenceLimits } from '../chain/vocabulary.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';

/**
 * Returns the calls that break a failed assertion; undefined if the assertion is not about
 * individual calls.
 */
export function breakingCalls(
  assertion: Assertion,
  subject: AssertionSubject,
): readonly ToolCall[] | undefined {
  const stage = stageOfAssertion(assertion.type, true);
  const isOfCalls = stage === 'call' || stage === 'response' || later.has(assertion.type);
  if (isAdvisory(assertion) || !isOfCalls || assertion.type === 'noToolErrors') return undefined;
  const calls = callsMadeIn(subject.transcript.toolCalls, 'toolName' in assertion ? assertion : {});
  if (assertion.type === 'toolCallCountUnder') return calls.slice(assertion.count - 1);
  if (assertion.type === 'noRepeatedIdenticalCall') return calls.filter(isRepeated);
  const breaking: ToolCall[] = [];
  for (const call of calls) {
    if (breaking.length >= evidenceLimits.items) break;
    const transcript = { ...subject.transcript, toolCalls: [call] };
    const { passed, evaluatorError } = evaluateKnownAssertion(assertion, {
      ...subject,
      transcript,
    });
    if (!passed && evaluatorError !== true) breaking.push(call);
  }
  return breaking;
}

const later: ReadonlySet<string> = new Set(['toolCallCountUnder', 'noDestructiveToolCalled']);

function isRepeated(call: ToolCall, index: number, calls: readonly ToolCall[]): boolean {
  const spelledCall = spelled(call);
  return calls.slice(0, index).some((earlier) => spelled(earlier) === spelledCall);
}

function spelled({ toolName, serverName, arguments: given }: ToolCall): string {
  return canonicalJson([toolName, serverName ?? null, given]);
}
