import type { EvalRun } from '@proofmark/contract';
import type { TrialGroup } from '@proofmark/report';
import { type MoreItems, usePager } from '../../../kit/pager.tsx';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import type { TrialSearch } from './run-search.ts';
import { TrialCard } from './trial-card.tsx';

const shownCards = { short: 10, long: 5 };

export function TrialCards(props: {
  ids: RunIds;
  run: EvalRun;
  groups: readonly TrialGroup[];
  /** Loaded trials by id, with the arguments of their calls. */
  trials: ReadonlyMap<string, EvalTrial>;
  search: TrialSearch;
  isLong: boolean;
  more: MoreItems;
}) {
  const { ids, run, trials, search, isLong, more } = props;
  const size = isLong ? shownCards.long : shownCards.short;
  const { shown, buttons } = usePager(props.groups, { size, what: 'causes', more });
  return (
    <div className={isLong ? 'trial-cards long' : 'trial-cards'}>
      {shown.map((group) => (
        <TrialCard
          key={group.members[0].iterationId}
          ids={ids}
          run={run}
          group={group}
          trial={trials.get(group.members[0].iterationId)}
          search={search}
        />
      ))}
      {buttons}
    </div>
  );
}
