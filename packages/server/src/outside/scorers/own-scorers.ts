/** Scorers as a trial asks them: with what was said in it, and without the secret that the request is signed with. */
import type { ScoredConversation } from '@proofmark/domain';
import type { ScorerCall, ScorerOutcome } from './scorer-gateway.ts';

export interface OwnScorers {
  /** Rejects only where the signal ends it, or where we ourselves fail. */
  ask(
    scorer: Pick<ScorerCall, 'url' | 'timeoutMs'>,
    conversation: TrialConversation,
    signal: AbortSignal,
  ): Promise<ScorerOutcome>;
}

/** Whoever asks for a trial adds which trial it is. */
export interface TrialConversation extends Omit<ScoredConversation, 'metadata'> {
  readonly metadata: Omit<
    ScoredConversation['metadata'],
    'iterationNumber' | 'model' | 'provider' | 'isCut'
  >;
}
