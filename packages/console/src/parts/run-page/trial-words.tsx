/** What is said about a trial that did not pass: why, which checks did not hold, expected beside observed, and what to do. */
import {
  type DecisionDiagnostic,
  isToldAsReason,
  outlineTrial,
  type TrialFact,
} from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { EvalTrial, RunPlace } from '../../data/eval-runs.ts';
import { failedChecks } from '../../evals/read-checks.ts';
import { durationWords } from '../../servers/duration-words.ts';
import { ExpectedObserved } from './expected-observed.tsx';
import { Words } from './words.tsx';

export function TrialWords(props: {
  place: RunPlace;
  diagnostic: DecisionDiagnostic;
  /** The trial itself, with the arguments of its calls and its scores. */
  trial: EvalTrial | undefined;
}) {
  const { place, diagnostic, trial } = props;
  const { facts } = outlineTrial(diagnostic, false);
  const said = (label: TrialFact['label']) => facts.filter((fact) => fact.label === label);
  const { iterationId, expected, observed, evidence } = diagnostic;
  const names = (toolNames: readonly string[] | undefined) =>
    (toolNames ?? []).map((toolName) => ({ toolName }));
  const checks = [
    ...said('Check').map(({ text }) => text),
    ...untold(trial, evidence.reasons).map((theirs) => [{ theirs, quoted: false }]),
  ];
  return (
    <>
      {said('Why').map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there is one.
        <p key={index} className="why">
          <Words sentence={text} />
        </p>
      ))}
      {checks.length > 0 && (
        <ul className="reasons" aria-label="Checks that did not hold">
          {checks.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reasons are distinct texts in a fixed order.
            <li key={index}>
              Check: <Words sentence={text} />
            </li>
          ))}
        </ul>
      )}
      <ExpectedObserved
        expected={trial?.expectedToolCalls ?? names(expected?.toolNames)}
        observed={trial?.actualToolCalls ?? names(observed?.toolNames)}
        failure={isToldAsReason(diagnostic) ? undefined : observed?.failure}
        noneExpected={said('Expected').length > 0}
      />
      <p className="next">
        <b>Next:</b>{' '}
        {said('Next').map(({ text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there is one.
          <Words key={index} sentence={text} />
        ))}
        {evidence.spanIds?.slice(0, 3).map((spanId) => (
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
    </>
  );
}

/** Model, time and tokens of a trial. */
export function facetsOf({ model, durationMs, tokensUsed }: EvalTrial): string[] {
  return [
    ...(model === null ? [] : [model]),
    ...(durationMs === null ? [] : [durationWords(durationMs)]),
    ...(tokensUsed === null ? [] : [`${tokensUsed.toLocaleString('en-US')} tokens`]),
  ];
}

/** Checks that failed the trial and that its chain does not tell; a chain keeps the beginning of a long text only. */
function untold(trial: EvalTrial | undefined, told: readonly string[] = []): string[] {
  const failed = trial === undefined ? [] : failedChecks(trial);
  const start = (text: string) => text.slice(0, comparedLength);
  return [...new Set(failed)].filter((text) => !told.some((one) => start(one) === start(text)));
}

const comparedLength = 100;
