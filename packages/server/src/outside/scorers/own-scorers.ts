/**
 * Scorers for a trial: they get its conversation, and the caller does not get the signing secret.
 */
import type { ScoredConversation } from '@proofmark/domain';
import type { ScorerCall, ScorerOutcome } from './scorer-gateway.ts';

export interface OwnScorers {
  /** Rejects only if the signal aborts, or for our own failure. */
  ask(
    scorer: Pick<ScorerCall, 'url' | 'timeoutMs'>,
    conversation: TrialConversation,
    signal: AbortSignal,
  ): Promise<ScorerOutcome>;
}

/** The caller for a trial adds the id of the trial. */
export interface TrialConversation extends Omit<ScoredConversation, 'metadata'> {
  readonly metadata: Omit<
    ScoredConversation['metadata'],
    'iterationNumber' | 'model' | 'provider' | 'isCut'
  >;
}
