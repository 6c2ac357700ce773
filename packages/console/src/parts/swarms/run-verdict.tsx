import {
  type JourneyRunState,
  journeyRunWord,
  type SummaryVerdict,
  verdictWords,
} from '@proofmark/domain';
import { verdictTone } from '../../evals/run-tone.ts';

/** The verdict of a run in a list; without one, how far the run came. */
export function RunVerdict({ run, verdict }: { run: JourneyRunState; verdict: SummaryVerdict }) {
  return (
    <b className={`tone-${verdictTone(verdict)}`}>
      {verdict === 'notEstablished' ? journeyRunWord(run) : verdictWords[verdict]}
    </b>
  );
}
