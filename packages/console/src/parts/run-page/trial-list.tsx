/** The trials that did not pass, as many as were read, then on demand all of those, and a button for more. */
import { count, type DecisionSummary, outlineSummary } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { EvalTrial, RunPlace } from '../../data/eval-runs.ts';
import { endedTrials } from '../../evals/follow-run.ts';
import { AllTrials } from './all-trials.tsx';
import { StageLegend } from './stage-strip.tsx';
import { TrialCard } from './trial-card.tsx';
import { useTrialKeys } from './use-trial-keys.ts';
import { Words } from './words.tsx';

export function TrialList(props: {
  place: RunPlace;
  summary: DecisionSummary;
  trials: ReadonlyMap<string, EvalTrial>;
  isLive: boolean;
  more: { readonly isThere: boolean; readonly isBusy: boolean; load(): void };
}) {
  const { place, summary, trials, isLive, more } = props;
  const navigate = useNavigate();
  const { projectId, runId } = place;
  const openTrace = useCallback(
    (iterationId: string) =>
      void navigate({
        to: '/projects/$projectId/runs/$runId/trials/$iterationId',
        params: { projectId, runId, iterationId },
      }),
    [navigate, projectId, runId],
  );
  useTrialKeys(openTrace);
  const { trialsHeading, notShown } = outlineSummary(summary);
  const shown = isLive ? endedTrials(summary.diagnostics.items) : summary.diagnostics.items;
  return (
    <section aria-labelledby="trials">
      <div className="section-head">
        <h2 id="trials">
          {isLive ? (
            `Did not pass so far: ${count(shown.length, 'trial')}`
          ) : (
            <Words sentence={trialsHeading ?? []} />
          )}
        </h2>
        {shown.length > 1 && (
          <p className="hint wide-only key-hint">
            <kbd>j</kbd> <kbd>k</kbd> move, <kbd>o</kbd> opens the trace
          </p>
        )}
      </div>
      {shown.map((diagnostic) => (
        <TrialCard
          key={diagnostic.iterationId}
          place={place}
          diagnostic={diagnostic}
          trial={trials.get(diagnostic.iterationId)}
        />
      ))}
      {shown.some(({ chain }) => chain.status === 'verified') && <StageLegend />}
      {!isLive && notShown.length > 0 && (
        <ul className="not-shown hint" aria-label="Not shown">
          {notShown.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences in a fixed order.
            <li key={index}>
              <Words sentence={sentence} />
            </li>
          ))}
        </ul>
      )}
      <AllTrials place={place} trials={[...trials.values()]} />
      {more.isThere && (
        <p>
          <button type="button" disabled={more.isBusy} onClick={more.load}>
            {more.isBusy ? 'Loading…' : 'Load more trials'}
          </button>
        </p>
      )}
    </section>
  );
}
