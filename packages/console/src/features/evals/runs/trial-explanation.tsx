import type { DecisionDiagnostic } from '@proofmark/domain';
import { callDifferences, isShownAsReason, type TrialFact } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { durationWords } from '../../../kit/duration-words.ts';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import { ExpectedObserved } from './expected-observed.tsx';
import { Words } from './words.tsx';

export function TrialExplanation(props: {
  ids: RunIds;
  diagnostic: DecisionDiagnostic;
  facts: readonly TrialFact[];
  /** Undefined if the calls did not cause the failure. */
  trial: EvalTrial | undefined;
}) {
  const { ids, diagnostic, facts, trial } = props;
  const factsLabelled = (label: TrialFact['label']) => facts.filter((fact) => fact.label === label);
  const { iterationId, expected, observed, evidence } = diagnostic;
  const names = (toolNames: readonly string[] | undefined) =>
    (toolNames ?? []).map((toolName) => ({ toolName }));
  const checks = factsLabelled('Check').map(({ text }) => text);
  const [stated] = factsLabelled('Expected');
  return (
    <>
      {factsLabelled('Why').map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there is one.
        <p key={index} className="why">
          <Words sentence={text} />
        </p>
      ))}
      {checks.length > 0 && (
        <ul className="reasons" aria-label="Failed checks">
          {checks.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reasons are distinct texts in a fixed order.
            <li key={index}>
              Check: <Words sentence={text} />
            </li>
          ))}
        </ul>
      )}
      {(stated !== undefined || factsLabelled('Observed').length > 0) && (
        <ExpectedObserved
          expected={stated ? (trial?.expectedToolCalls ?? names(expected?.toolNames)) : []}
          observed={trial?.actualToolCalls ?? names(observed?.toolNames)}
          failure={isShownAsReason(diagnostic) ? undefined : observed?.failure}
          marks={callDifferences(diagnostic)}
          noneExpected={stated && <Words sentence={stated.text} />}
        />
      )}
      {factsLabelled('Advice').map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there is one at most.
        <p key={index} className="next">
          <b>Advice:</b> <Words sentence={text} />
        </p>
      ))}
      <p className="next">
        {factsLabelled('Next').length > 0 && <b>Next: </b>}
        {factsLabelled('Next').map(({ text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there is one.
          <Words key={index} sentence={text} />
        ))}
        {evidence.spanIds?.slice(0, 3).map((spanId, at) => (
          <span key={spanId}>
            {' '}
            <Link
              to="/projects/$projectId/runs/$runId/trials/$trialId"
              params={{ ...ids, trialId: iterationId }}
              hash={`span-${spanId}`}
            >
              {`Evidence ${at + 1}`}
            </Link>
          </span>
        ))}
      </p>
    </>
  );
}

export function facetsOf({ model, durationMs, tokensUsed }: EvalTrial): string[] {
  return [
    ...(model === null ? [] : [model]),
    ...(durationMs === null ? [] : [durationWords(durationMs)]),
    ...(tokensUsed === null ? [] : [`${tokensUsed.toLocaleString('en-US')} tokens`]),
  ];
}
