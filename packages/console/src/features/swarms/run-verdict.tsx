import {
  type JourneyRunState,
  type RunGrades,
  type SummaryVerdict,
  verdictWords,
} from '@proofmark/domain';
import {
  journeyRunWord,
  journeyVerdictReason,
  scorecardSentences,
  ungradedSentences,
} from '@proofmark/report';
import { verdictTone } from '../evals/index.ts';

export interface VerdictOfRun extends JourneyRunState {
  readonly verdict: SummaryVerdict;
  /** Null if the run has no criteria. */
  readonly grades: RunGrades | null;
  readonly personaModel?: string | undefined;
}

/**
 * A run's verdict with its reason and the number of ungraded sessions. A run without a verdict
 * shows its progress.
 */
export function RunVerdict({ run }: { run: VerdictOfRun }) {
  const { verdict, personaModel } = run;
  const grades = run.grades ?? undefined;
  const user = personaModel === undefined ? undefined : { personaModel };
  const rests = [journeyVerdictReason(run, grades)];
  if (grades !== undefined) {
    const hasCopies = grades.distinctTranscripts < grades.sessionsGraded;
    rests.push(...(hasCopies ? scorecardSentences : ungradedSentences)(grades, user));
  }
  return (
    <div className="run-verdict">
      <b className={`tone-${verdictTone(verdict)}`}>
        {verdict === 'notEstablished' ? journeyRunWord(run) : verdictWords[verdict]}
      </b>
      <p className="hint">{rests.map(capitalized).join(' ')}</p>
    </div>
  );
}

function capitalized(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
