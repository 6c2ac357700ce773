/**
 * Decides whether a server that did not answer a widget, or did not return its page, loses the
 * set-up of the trial. Rejected credentials, a server that keeps asking us to wait, a limit of ours
 * and a connection lost on our side say nothing about the widget. Any other exception is a failure
 * of our own.
 */
import { isOurLimit, isRefusal, mcpErrorOf, trialSentence } from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import { SetupLost } from './setup-lost.ts';

/** Returns the error that ends the trial; undefined if the server itself answered with an error. */
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
