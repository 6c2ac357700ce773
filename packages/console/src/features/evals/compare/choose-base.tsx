/**
 * The choice of another run of the suite to compare with, newest first. Runs on pages of the list
 * that are not loaded yet are not offered.
 */
import { useNavigate } from '@tanstack/react-router';
import { usePages } from '../../../kit/data/operations.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { comparableRuns, comparableRunWords } from './comparable-runs.ts';

export function ChooseBase(props: { ids: RunIds; suiteId: string; base: string | undefined }) {
  const { ids, base } = props;
  const navigate = useNavigate();
  const runs = usePages('listEvalSuiteRuns', { projectId: ids.projectId, suiteId: props.suiteId });
  const others = comparableRuns(runs.data ?? [], ids.runId);
  const isUnread = base !== undefined && !others.some((one) => one.id === base);
  const choose = (baseRunId: string) =>
    void navigate({
      to: '/projects/$projectId/runs/$runId/compare/$baseRunId',
      params: { ...ids, baseRunId },
    });
  return (
    <p className="choose-run">
      <label>
        Compare with
        <select
          value={base ?? ''}
          onChange={({ target }) => target.value !== '' && choose(target.value)}
        >
          {base === undefined && <option value="">choose a run</option>}
          {isUnread && <option value={base}>the run of this address</option>}
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {comparableRunWords(one)}
            </option>
          ))}
        </select>
      </label>
      {runs.hasNextPage && (
        <button type="button" className="small" onClick={() => void runs.fetchNextPage()}>
          Read older runs
        </button>
      )}
    </p>
  );
}
