/**
 * `proofmark/lexical-agent-1`: an agent without a language model. It reads only the user's last
 * message. It creates a suite for a server, explains results, or answers a question with the read
 * operation whose summary fits best. From the calls made so far it returns the next call or the reply. The
 * same input always gives the same step.
 */
import { createSuite } from './create-suite-by-words.ts';
import { explainResults, resultQuestion } from './explain-by-words.ts';
import { type LexicalAgentInput, type LexicalAgentStep, notUnderstood } from './lexical-step.ts';
import { readByWords } from './read-by-words.ts';
import { forbidsMaking } from './words-of-message.ts';

export const lexicalAgentId = 'proofmark/lexical-agent-1';

export function lexicalAgentStep(input: LexicalAgentInput): LexicalAgentStep {
  const { message, calls } = input;
  if (calls.length >= mostCalls)
    return { reply: 'This request needs more calls than I am allowed to make.' };
  if (asksForSuite.test(message) && forbidsMaking(message)) return { reply: nothingMade };
  if (asksForSuite.test(message)) return createSuite(input);
  const question = resultQuestion(message);
  if (question !== undefined) return explainResults(input, question);
  return asksToRead.test(message) ? readByWords(input) : { reply: notUnderstood };
}

const mostCalls = 8;
const asksToRead =
  /\b(?:list|show|which|what|how many|name|(?:is|are) there|(?:do|have) (?:i|we))\b/i;
const asksForSuite = /\b(?:create|make|write)\b[\s\S]*\bsuite\b/i;
const nothingMade = `The message says that something must not be created, so I created nothing. ${notUnderstood}`;
