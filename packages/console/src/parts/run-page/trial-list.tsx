/** The trials that did not pass: those with one cause told once, as many as were read, and a button for more. */
import {
  count,
  type DecisionSummary,
  endedTrials,
  groupTrials,
  type SummaryOutline,
} from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { EvalTrial, RunIds } from '../../data/eval-runs.ts';
import { StageLegend } from './stage-strip.tsx';
import { TrialCard } from './trial-card.tsx';
import { useTrialKeys } from './use-trial-keys.ts';
import { Words } from './words.tsx';

export function TrialList(props: {
  ids: RunIds;
  summary: DecisionSummary;
  outline: SummaryOutline;
  /** Those that did not pass. */
  trials: readonly EvalTrial[];
  isLive: boolean;
  more: { readonly isThere: boolean; readonly isBusy: boolean; load(): void };
}) {
  const { ids, summary, trials, isLive, more } = props;
  const { trialsHeading, notShown } = props.outline;
  const navigate = useNavigate();
  const { projectId, runId } = ids;
  const openTrace = useCallback(
    (trialId: string) =>
      void navigate({
        to: '/projects/$projectId/runs/$runId/trials/$trialId',
        params: { projectId, runId, trialId },
      }),
    [navigate, projectId, runId],
  );
  useTrialKeys(openTrace);
  const shown = endedTrials(summary);
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const groups = groupTrials(shown, false, { calls: byId });
  return (
    <section aria-labelledby="trials">
      <div className="section-head">
        <h2 id="trials">
          {isLive ? (
            `Did not pass so far: ${more.isThere ? 'at least ' : ''}${count(shown.length, 'trial')}`
          ) : (
            <Words sentence={trialsHeading ?? []} />
          )}
        </h2>
        {groups.length > 1 && (
          <p className="hint wide-only key-hint">
            <kbd>j</kbd> <kbd>k</kbd> move, <kbd>o</kbd> opens the trace
          </p>
        )}
      </div>
      {groups.map((group) => (
        <TrialCard
          key={group.members[0].iterationId}
          ids={ids}
          group={group}
          trial={byId.get(group.members[0].iterationId)}
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
      {more.isThere && (
        <p>
          <button type="button" disabled={more.isBusy} onClick={more.load}>
            {more.isBusy ? 'Loading…' : 'Load more that did not pass'}
          </button>
        </p>
      )}
    </section>
  );
}
