/**
 * Calls an organization's own scorers (HTTP programs) with the conversation of one trial. Callers
 * never get the secret that signs the request.
 */
import type { ScoredConversation } from '@proofmark/domain';
import type { ScorerCall, ScorerOutcome } from './scorer-gateway.ts';

export interface OwnScorers {
  /**
   * Rejects only if the signal aborts or Proofmark has an error; every failure of a scorer is
   * returned as an outcome.
   */
  ask(
    scorer: Pick<ScorerCall, 'url' | 'timeoutMs'>,
    conversation: TrialConversation,
    signal: AbortSignal,
  ): Promise<ScorerOutcome>;
}

/**
 * The conversation without the fields that depend on its trial, such as the trial number; `ask`
 * adds them.
 */
export interface TrialConversation extends Omit<ScoredConversation, 'metadata'> {
  readonly metadata: Omit<
    ScoredConversation['metadata'],
    'iterationNumber' | 'model' | 'provider' | 'isCut'
  >;
}
