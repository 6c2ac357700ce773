/**
 * Whether a server that did not answer a widget, or that did not give its page, lost the set-up of the trial. Refused
 * credentials, a server that goes on asking us to wait, a limit of ours and a connection that our own side lost say
 * nothing about the widget. What is thrown beside that is a failure of our own.
 */
import { isOurLimit, isRefusal, mcpErrorOf, trialSentence } from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import { SetupLost } from './setup-lost.ts';

/** What ends the trial; nothing where the server itself answered with an error. */
export function lossOf(error: unknown, what: string): { readonly loss: unknown } | undefined {
  const asksToWait = isRefusedEvenAlone(error);
  if (!(error instanceof McpFailure)) return { loss: error };
  if (error.code === 'RATE_LIMITED' && !asksToWait) return { loss: error };
  const facts = factsOf(error);
  const isOurs = isRefusal(facts) || isOurLimit(facts) || mcpErrorOf(facts)?.origin === 'ours';
  if (!asksToWait && !isOurs) return undefined;
  const needsOAuth = error.code === 'OAUTH_REQUIRED';
  const sentence = trialSentence(`${what}: ${trialSentence(error)}`);
  return { loss: new SetupLost(sentence, { needsOAuth, asksToWait }) };
}
