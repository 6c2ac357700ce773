/** Links to the previous and next trial of the filtered list. The keys j and k do the same. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isForPage } from '../../../kit/keys.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { useNeighbours } from '../data/run-trials.ts';
import { searchWords, type TrialSearch } from '../runs/run-search.ts';

const trialPage = '/projects/$projectId/runs/$runId/trials/$trialId';

export function TrialWalk(props: { ids: RunIds; trialId: string; search: TrialSearch }) {
  const { ids, trialId, search } = props;
  const { projectId, runId } = ids;
  const found = useNeighbours(ids, trialId, search);
  const navigate = useNavigate();
  const { before, after } = found ?? {};
  const asked = JSON.stringify(search);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const next = event.key === 'j' ? after : event.key === 'k' ? before : undefined;
      if (next === undefined) return;
      event.preventDefault();
      const params = { projectId, runId, trialId: next };
      void navigate({ to: trialPage, params, search: JSON.parse(asked) as TrialSearch });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, projectId, runId, before, after, asked]);
  if (found === undefined || (before === undefined && after === undefined)) return null;
  const step = (next: string | undefined, words: string, key: string) =>
    next === undefined ? (
      <span className="hint">{words}</span>
    ) : (
      <Link to={trialPage} params={{ ...ids, trialId: next }} search={search}>
        {words} <kbd className="wide-only">{key}</kbd>
      </Link>
    );
  return (
    <nav className="trial-walk" aria-label="Trials of the run">
      {step(before, 'Previous trial', 'k')}
      <span className="hint figures">
        {`${found.place} of ${found.isAll ? '' : 'at least '}${found.read} ${searchWords(search, undefined)}`}
      </span>
      {step(after, 'Next trial', 'j')}
    </nav>
  );
}
