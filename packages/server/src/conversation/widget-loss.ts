/**
 * Decides whether a server's failure to respond to a widget, or to return its page, means that the
 * trial's set-up is lost. It is lost after rejected credentials, if the server keeps asking
 * Proofmark to wait, by a limit of Proofmark, or by a connection lost on Proofmark's side: these
 * prove nothing about the widget. Any other exception is an internal failure.
 */
import { isOurLimit, isRefusal, mcpErrorOf, trialSentence } from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import { SetupLost } from './setup-lost.ts';

/**
 * Returns the error that must end the trial. Undefined if the server itself responded with an
 * error, which only the widget gets.
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
