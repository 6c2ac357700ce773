/**
 * Trials that match a filter. Trials that did not pass are shown with their causes. If some may
 * have passed, all are shown in a table.
 */
import type { EvalRun } from '@proofmark/contract';
import { count, summaryOfRun } from '@proofmark/domain';
import { endedTrials, groupTrials } from '@proofmark/report';
import type { MoreItems } from '../../../kit/pager.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import { useRunTrials } from '../data/run-trials.ts';
import { TrialTable } from './all-trials.tsx';
import { mayShowPassed, readTrialSearch, type TrialSearch } from './run-search.ts';
import { TrialCards } from './trial-cards.tsx';
import { useTrialTraces } from './use-trial-keys.ts';

export function PickedTrials(props: {
  ids: RunIds;
  run: EvalRun;
  search: TrialSearch;
  words: string;
  isLong: boolean;
}) {
  const { ids, run, words } = props;
  const search = readTrialSearch({ ...props.search });
  const trials = useRunTrials(ids, run, search);
  useTrialTraces(ids, search);
  const { hasNextPage, isFetchingNextPage, isPlaceholderData } = trials;
  const more = {
    isThere: hasNextPage,
    isBusy: isFetchingNextPage,
    load: () => void trials.fetchNextPage(),
  };
  return (
    <section aria-labelledby="trials" className="trial-list">
      <QueryView query={trials}>
        {(read) => (
          <div aria-busy={isPlaceholderData}>
            <h2 id="trials" aria-live="polite">
              {isPlaceholderData
                ? 'Looking…'
                : `${more.isThere ? 'At least ' : ''}${count(read.length, 'trial')} ${words}`}
            </h2>
            {mayShowPassed(search) ? (
              read.length > 0 && (
                <TrialTable key={words} ids={ids} search={search} more={more} trials={read} />
              )
            ) : (
              <Causes
                key={words}
                ids={ids}
                run={run}
                search={search}
                isLong={props.isLong}
                more={more}
                trials={read}
              />
            )}
            {read.length === 0 && !isPlaceholderData && (
              <p className="hint">Clear the filter to see what did not pass.</p>
            )}
          </div>
        )}
      </QueryView>
    </section>
  );
}

function Causes(props: {
  ids: RunIds;
  run: EvalRun;
  search: TrialSearch;
  trials: readonly EvalTrial[];
  isLong: boolean;
  more: MoreItems;
}) {
  const { ids, run, search, trials, more } = props;
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const summary = summaryOfRun(run, { items: trials, isAll: !more.isThere });
  const groups = groupTrials(endedTrials(summary), false, { calls: byId });
  return (
    <TrialCards
      ids={ids}
      run={run}
      groups={groups}
      trials={byId}
      search={search}
      isLong={props.isLong}
      more={more}
    />
  );
}
