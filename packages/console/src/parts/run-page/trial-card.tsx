/** One trial that did not pass: its stages, why, expected beside observed, what to do, and its trace one click away. */
import { type DecisionDiagnostic, outlineTrial } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { EvalTrial, RunPlace } from '../../data/eval-runs.ts';
import { StageStrip } from './stage-strip.tsx';
import { facetsOf, TrialWords } from './trial-words.tsx';
import { Words } from './words.tsx';

export function TrialCard(props: {
  place: RunPlace;
  diagnostic: DecisionDiagnostic;
  /** The trial itself, with the arguments of its calls. */
  trial: EvalTrial | undefined;
}) {
  const { place, diagnostic, trial } = props;
  const { heading } = outlineTrial(diagnostic, false);
  const { iterationId, chain, result } = diagnostic;
  return (
    <article
      id={iterationId}
      className="trial"
      tabIndex={-1}
      data-trial={iterationId}
      data-result={result ?? 'none'}
    >
      <div className="trial-head">
        <h3>
          <Words sentence={heading} />
        </h3>
        {trial !== undefined && <span className="hint">{facetsOf(trial).join(' · ')}</span>}
        <Link
          className="trace-link"
          to="/projects/$projectId/runs/$runId/trials/$iterationId"
          params={{ ...place, iterationId }}
        >
          {trial?.hasTrace === false ? 'Open trial' : 'Open trace'}
        </Link>
      </div>
      {chain.status === 'verified' && <StageStrip stages={chain.stages} />}
      <TrialWords place={place} diagnostic={diagnostic} trial={trial} />
    </article>
  );
}
