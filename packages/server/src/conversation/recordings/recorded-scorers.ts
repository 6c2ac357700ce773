/**
 * Scorers that answer from a recording if the question is the same. Any other question is asked
 * live, as with a judge: a scorer grades the trial, and is not a side of the replay.
 */
import { firstDifference, type ScorerExchange } from '@proofmark/domain';
import type { OwnScorers } from '../../outside/scorers/own-scorers.ts';
import type { ScorerOutcome } from '../../outside/scorers/scorer-gateway.ts';
import type { PlacedCall } from './opened-recording.ts';
import { questionOfScorer } from './question-of-scorer.ts';
import type { TrialReplay } from './trial-replay.ts';

export function recordedScorers(replay: TrialReplay, live: OwnScorers | undefined): OwnScorers {
  return {
    async ask(scorer, conversation, signal) {
      const asked = questionOfScorer(scorer.url, conversation, (value) => replay.redact(value));
      const found = asked && findAnswer(replay, asked);
      if (found === undefined) return live?.ask(scorer, conversation, signal) ?? nobody;
      replay.recorded.take(found.place);
      return replay.recorded.tell(found.exchange.answer) as ScorerOutcome;
    },
  };
}

const nobody: ScorerOutcome = {
  problem: 'The scorer was not called: scorers are not available here.',
};

function findAnswer(
  { recorded }: TrialReplay,
  { hash, request }: Pick<ScorerExchange, 'hash' | 'request'>,
): PlacedCall<ScorerExchange> | undefined {
  const left = recorded.scorersLeft();
  const same = left.find(({ exchange }) => exchange.hash === hash);
  if (same !== undefined || request === undefined) return same;
  return left.find(({ exchange }) => {
    const kept = exchange.request;
    return kept !== undefined && firstDifference(kept, request) === undefined;
  });
}
