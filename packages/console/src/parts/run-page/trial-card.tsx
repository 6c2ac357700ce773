/** One trial that did not pass: its stages, why, expected beside observed, what to do, and its trace one click away. */
import { type DecisionDiagnostic, outlineTrial, type TrialFact } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { EvalTrial, RunPlace } from '../../data/eval-runs.ts';
import { durationWords } from '../../servers/duration-words.ts';
import { ExpectedObserved } from './expected-observed.tsx';
import { StageStrip } from './stage-strip.tsx';
import { Words } from './words.tsx';

export function TrialCard(props: {
  place: RunPlace;
  diagnostic: DecisionDiagnostic;
  /** The trial itself, with the arguments of its calls. */
  trial: EvalTrial | undefined;
}) {
  const { place, diagnostic, trial } = props;
  const { heading, facts } = outlineTrial(diagnostic, false);
  const said = (label: TrialFact['label']) => facts.filter((fact) => fact.label === label);
  const { iterationId, chain, expected, observed, result } = diagnostic;
  const names = (toolNames: readonly string[] | undefined) =>
    (toolNames ?? []).map((toolName) => ({ toolName }));
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
        <span className="hint">{facets(trial).join(' · ')}</span>
        <Link
          className="trace-link"
          to="/projects/$projectId/runs/$runId/trials/$iterationId"
          params={{ ...place, iterationId }}
        >
          Open trace
        </Link>
      </div>
      {chain.status === 'verified' && <StageStrip stages={chain.stages} />}
      {said('Why').map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there is one.
        <p key={index} className="why">
          <Words sentence={text} />
        </p>
      ))}
      {said('Check').length > 0 && (
        <ul className="reasons" aria-label="Checks that did not hold">
          {said('Check').map(({ text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reasons are distinct texts in a fixed order.
            <li key={index}>
              <Words sentence={text} />
            </li>
          ))}
        </ul>
      )}
      <ExpectedObserved
        expected={trial?.expectedToolCalls ?? names(expected?.toolNames)}
        observed={trial?.actualToolCalls ?? names(observed?.toolNames)}
        failure={observed?.failure}
      />
      <p className="next">
        <b>Next:</b>{' '}
        {said('Next').map(({ text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there is one.
          <Words key={index} sentence={text} />
        ))}
        {diagnostic.evidence.spanIds?.slice(0, 3).map((spanId) => (
          <span key={spanId}>
            {' '}
            <Link
              to="/projects/$projectId/runs/$runId/trials/$iterationId"
              params={{ ...place, iterationId }}
              hash={`span-${spanId}`}
            >
              Span {spanId}
            </Link>
          </span>
        ))}
      </p>
    </article>
  );
}

function facets(trial: EvalTrial | undefined): string[] {
  if (trial === undefined) return [];
  const { model, durationMs, tokensUsed } = trial;
  return [
    ...(model === null ? [] : [model]),
    ...(durationMs === null ? [] : [durationWords(durationMs)]),
    ...(tokensUsed === null ? [] : [`${tokensUsed.toLocaleString('en-US')} tokens`]),
  ];
}
