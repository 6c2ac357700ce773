/**
 * Decides whether the trial's set-up is lost if a server does not respond to a widget or does not
 * return its page. It is lost if the cause proves nothing about the widget: rejected credentials,
 * rate limits, a limit of Proofmark, or a connection lost on Proofmark's side.
 */
import { isOurLimit, isRefusal, mcpErrorOf, trialSentence } from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import { SetupLost } from './setup-lost.ts';

/**
 * Returns the error that must end the trial. Undefined if the server responded with an error: only
 * the widget gets that error.
 */
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
