/** The run beside another of its suite, read when somebody asks: what changed, and whether it is noise. */
import type { EvalRun } from '@proofmark/contract';
import { comparedCaseSentence, count, isUnchanged } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { type RunIds, useRunComparison } from '../../data/eval-runs.ts';
import { useEvalSuiteRuns } from '../../data/eval-suites.ts';
import { isRunEnded } from '../../evals/follow-run.ts';
import type { RunSearch } from '../../evals/run-search.ts';
import { runWords } from '../../evals/run-words.ts';
import { QueryView } from '../query-view.tsx';

const runBefore = 'before';

export function CompareBlock(props: { ids: RunIds; run: EvalRun; search: RunSearch }) {
  const { ids, run, search } = props;
  const navigate = useNavigate();
  const { base } = search;
  const isWanted = base !== undefined;
  const comparison = useRunComparison(ids, base === runBefore ? undefined : base, isWanted);
  const choose = (chosen: string) =>
    void navigate({
      to: '/projects/$projectId/runs/$runId',
      params: ids,
      search: { ...search, base: chosen },
      replace: true,
      resetScroll: false,
    });
  return (
    <section aria-labelledby="compared">
      <h2 id="compared" tabIndex={-1}>
        Beside another run
      </h2>
      <ChooseRun {...{ ids, run, base }} onChoose={choose} />
      {isWanted && (
        <QueryView query={comparison}>
          {(compared) =>
            compared === 'none' ? (
              <p>The suite has no completed run before this one.</p>
            ) : (
              <Compared projectId={ids.projectId} compared={compared} />
            )
          }
        </QueryView>
      )}
    </section>
  );
}

/** The runs of the suite, newest first, as many as were read. */
function ChooseRun(props: {
  ids: RunIds;
  run: EvalRun;
  base: string | undefined;
  onChoose: (base: string) => void;
}) {
  const { ids, run, base, onChoose } = props;
  const runs = useEvalSuiteRuns({ projectId: ids.projectId, suiteId: run.suiteId });
  const others = (runs.data ?? []).filter((one) => one.id !== run.id && isRunEnded(one.status));
  const isUnread =
    base !== undefined && base !== runBefore && !others.some((one) => one.id === base);
  return (
    <p className="choose-run">
      {base !== runBefore && (
        <button type="button" onClick={() => onChoose(runBefore)}>
          Compare with the run before
        </button>
      )}
      <label>
        Compare with
        <select
          value={base === runBefore ? '' : (base ?? '')}
          onChange={({ target }) => target.value !== '' && onChoose(target.value)}
        >
          <option value="">{base === runBefore ? 'the run before' : 'choose a run'}</option>
          {isUnread && <option value={base}>the run of this address</option>}
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {`run ${one.runNumber}, ${runWords(one).word}`}
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

type Comparison = Exclude<NonNullable<ReturnType<typeof useRunComparison>['data']>, 'none'>;

function Compared(props: { projectId: string; compared: Comparison }) {
  const { projectId, compared } = props;
  const { baseRun, compareRun, cases } = compared;
  const trialLink = (runId: string, trialId: string | null, words: string) =>
    trialId !== null && (
      <Link
        to="/projects/$projectId/runs/$runId/trials/$trialId"
        params={{ projectId, runId, trialId }}
      >
        {words}
      </Link>
    );
  // A case may keep its verdict and still pass far more or far less often.
  const changed = cases.filter(
    ({ status, significance }) => !isUnchanged(status) || significance === 'outside_noise',
  );
  return (
    <>
      <p>
        {changed.length === 0
          ? 'Every case came out as in '
          : `${changed.length} of ${count(cases.length, 'case')} did not come out as in `}
        <Link
          to="/projects/$projectId/runs/$runId"
          params={{ projectId, runId: baseRun.id }}
        >{`run ${baseRun.runNumber}`}</Link>
        .
      </p>
      {changed.length > 0 && (
        <ul className="compared-cases">
          {changed.map((row) => (
            <li key={row.caseKey}>
              <b className="foreign-text">{row.title}</b> {comparedCaseSentence(row)}.
              <span className="hint compared-traces">
                {trialLink(compareRun.id, row.compare.representativeIterationId, 'Trace here')}
                {trialLink(
                  baseRun.id,
                  row.base.representativeIterationId,
                  `Trace in run ${baseRun.runNumber}`,
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
