import type { EvalRun } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import type { SummaryOutline, TrialGroup } from '@proofmark/report';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import { TrialCard } from './trial-card.tsx';
import { useTrialTraces } from './use-trial-keys.ts';
import { Words } from './words.tsx';

export function TrialList(props: {
  ids: RunIds;
  run: EvalRun;
  outline: SummaryOutline;
  groups: readonly TrialGroup[];
  /** The group of trials whose cause is already shown above the list. */
  shownAbove: TrialGroup | undefined;
  /** Trials that did not pass, loaded with the arguments of their calls. */
  trials: readonly EvalTrial[];
  isLive: boolean;
  more: { readonly isThere: boolean; readonly isBusy: boolean; load(): void };
}) {
  const { ids, trials, isLive, more, shownAbove } = props;
  const { trialsHeading, notShown } = props.outline;
  useTrialTraces(ids);
  const listed = props.groups.reduce((sum, { members }) => sum + members.length, 0);
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const groups = props.groups.filter((group) => group !== shownAbove);
  return (
    <section aria-labelledby="trials" className="trial-list">
      <div className="section-head">
        <h2 id="trials">
          {isLive ? (
            `Did not pass so far: ${more.isThere ? 'at least ' : ''}${count(listed, 'trial')}`
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
          run={props.run}
          group={group}
          trial={byId.get(group.members[0].iterationId)}
          search={{}}
        />
      ))}
      {shownAbove !== undefined && groups.length === 0 && (
        <p className="hint">All of them have the cause that is told above.</p>
      )}
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
