import type { EvalRun } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import type { SummaryOutline, TrialGroup } from '@proofmark/report';
import type { MoreItems } from '../../../kit/pager.tsx';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import { TrialCards } from './trial-cards.tsx';
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
  isLong: boolean;
  more: MoreItems;
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
      <TrialCards
        ids={ids}
        run={props.run}
        groups={groups}
        trials={byId}
        search={{}}
        isLong={props.isLong}
        more={more}
      />
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
    </section>
  );
}
