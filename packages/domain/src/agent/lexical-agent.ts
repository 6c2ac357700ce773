/**
 * `proofmark/lexical-agent-1`: an agent without a language model. It reads only the user's last
 * message. It either creates a suite for a server, or answers a question with the read operation
 * whose summary fits best. From the calls made so far it returns the next call or the reply. The
 * same input always gives the same step.
 */
import { createSuite } from './create-suite-by-words.ts';
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
  if (/\b(?:list|show|which)\b/i.test(message)) return readByWords(input);
  return { reply: notUnderstood };
}

const mostCalls = 6;
const asksForSuite = /\b(?:create|make|write)\b[\s\S]*\bsuite\b/i;
const nothingMade = `The message says that something must not be created, so I created nothing. ${notUnderstood}`;
