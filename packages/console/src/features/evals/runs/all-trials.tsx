import { cleanText } from '@proofmark/domain';
import { trialEndWords } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { durationWords } from '../../../kit/duration-words.ts';
import { PagePart } from '../../../kit/page-part.tsx';
import { type MoreItems, usePager } from '../../../kit/pager.tsx';
import { Table } from '../../../kit/table.tsx';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import type { TrialSearch } from './run-search.ts';
import { verdictTone } from './run-tone.ts';

export function AllTrials(props: {
  ids: RunIds;
  trials: readonly EvalTrial[];
  isLong: boolean;
  more: MoreItems;
}) {
  const { ids, trials, isLong, more } = props;
  const [isShown, setIsShown] = useState(false);
  if (trials.length === 0) return null;
  if (isLong) {
    return (
      <PagePart id="all-trials" title="All trials">
        <TrialTable ids={ids} trials={trials} more={more} search={{ result: 'all' }} />
      </PagePart>
    );
  }
  return (
    <div className="all-trials">
      <button type="button" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Hide all trials' : 'Show all trials'}
      </button>
      {isShown && <TrialTable ids={ids} trials={trials} more={more} search={{ result: 'all' }} />}
    </div>
  );
}

export function TrialTable(props: {
  ids: RunIds;
  trials: readonly EvalTrial[];
  search: TrialSearch;
  more: MoreItems;
}) {
  const { ids, trials, search, more } = props;
  const { shown, buttons } = usePager(trials, { size: shownTrials, what: 'trials', more });
  return (
    <>
      <Table columns={['Trial', 'Result', 'Model', 'Took']}>
        {shown.map((trial) => (
          <TrialRow key={trial.id} ids={ids} trial={trial} search={search} />
        ))}
      </Table>
      {buttons}
    </>
  );
}

const shownTrials = 10;

function TrialRow(props: { ids: RunIds; trial: EvalTrial; search: TrialSearch }) {
  const { ids, trial, search } = props;
  const { id: trialId, title, iterationNumber, result, model, durationMs } = trial;
  return (
    <tr>
      <th scope="row">
        <Link
          to="/projects/$projectId/runs/$runId/trials/$trialId"
          params={{ ...ids, trialId }}
          search={search}
        >
          <bdi>{cleanText(title ?? 'Trial', false)}</bdi>
          {`, trial ${iterationNumber}`}
        </Link>
      </th>
      <td data-label="Result">
        <b className={`tone-${verdictTone(result ?? '')}`}>{trialEndWords(trial)}</b>
      </td>
      <td data-label="Model">{model === null ? '' : cleanText(model, false)}</td>
      <td data-label="Took" className="figures">
        {durationMs === null ? '' : durationWords(durationMs)}
      </td>
    </tr>
  );
}
