/**
 * Asks a scorer of the organization about a trial. Its score is compared with the threshold of the
 * assertion; a failing scorer or an unreadable answer says nothing about the trial.
 */
import type { AskOutside } from './ask-outside.ts';

export const askScorer: AskOutside<'scorer'> = async (
  { url, threshold, timeoutMs = defaultTimeoutMs, name },
  { messages, transcript, scope },
  { dependencies, planned, signal },
) => {
  const { scorers } = dependencies;
  if (scorers === undefined) return unanswered('Scorers are not available here.');
  const { caseId, declaredId, title, expectedOutput } = planned;
  const conversation = {
    caseId: declaredId ?? caseId,
    title,
    messages,
    toolCalls: transcript.toolCalls,
    ...(expectedOutput !== undefined && { expectedOutput }),
    metadata: {
      ...(name !== undefined && { name }),
      threshold,
      ...(scope !== undefined && { promptIndex: scope.promptIndex }),
    },
  };
  const outcome = await scorers.ask({ url, timeoutMs }, conversation, signal);
  const who = name === undefined ? 'The scorer' : `The scorer ${JSON.stringify(name)}`;
  if ('problem' in outcome) return unanswered(outcome.problem.replace(/^The scorer/, () => who));
  const { score, reason } = outcome;
  const passed = score >= threshold;
  const told = `${who} gave ${score}, ${passed ? 'at or above' : 'below'} its threshold of ${threshold}.`;
  return {
    passed,
    reason: reason === undefined ? told : `${told} It says: ${reason}`,
    measured: {
      score,
      threshold,
      reason: reason === undefined || name === undefined ? (reason ?? told) : `${name}: ${reason}`,
    },
  };
};

const defaultTimeoutMs = 10_000;

function unanswered(reason: string) {
  return { passed: false, reason, evaluatorError: true } as const;
}
