import type { EvalRun } from '@proofmark/contract';
import { cleanText, scheduledRunNote, trialsPassed } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { InstantText } from '../../../kit/instant-text.tsx';
import { mayHaveRunBefore, runKinds } from '../compare/comparable-runs.ts';
import { runBefore } from '../data/run-comparison.ts';
import { isRunEnded } from '../runs/follow-run.ts';
import { runLasted, runSourceWords, runWords } from '../runs/run-words.ts';

export function RunTable(props: {
  runs: readonly EvalRun[];
  more: { readonly isThere: boolean; readonly isBusy: boolean; load(): void };
}) {
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Verdict</th>
            <th scope="col">Trials passed</th>
            <th scope="col">Started</th>
            <th scope="col">Lasted</th>
            <th scope="col">Source</th>
            <th scope="col">
              <span className="unseen">Compare</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
      {props.more.isThere && (
        <p className="after-table">
          <button type="button" disabled={props.more.isBusy} onClick={props.more.load}>
            {props.more.isBusy ? 'Loading…' : 'Load more runs'}
          </button>
        </p>
      )}
    </>
  );
}

function RunRow({ run }: { run: EvalRun }) {
  const { projectId, id: runId, summary } = run;
  const { word, tone } = runWords(run);
  return (
    <tr>
      <th scope="row">
        <Link to="/projects/$projectId/runs/$runId" params={{ projectId, runId }}>
          {`Run ${run.runNumber}`}
        </Link>
        {runKinds(run).map((kind) => (
          <span key={kind} className="hint run-note">
            {kind}
          </span>
        ))}
        {run.notes !== null && run.notes !== scheduledRunNote && (
          <span className="hint run-note">{cleanText(run.notes, false)}</span>
        )}
      </th>
      <td data-label="Verdict">
        <b className={`tone-${tone}`}>{word}</b>
      </td>
      <td data-label="Trials passed" className="figures">
        {trialsPassed({ status: run.status, ...summary })}
      </td>
      <td data-label="Started">
        <InstantText atMs={run.createdAt} />
      </td>
      <td data-label="Lasted" className="figures">
        {runLasted(run) ?? ''}
      </td>
      <td data-label="Source">{runSourceWords(run)}</td>
      <td data-label="">
        {mayHaveRunBefore(run) && isRunEnded(run.status) && (
          <Link
            to="/projects/$projectId/runs/$runId/compare/$baseRunId"
            params={{ projectId, runId, baseRunId: runBefore }}
            aria-label={`Compare run ${run.runNumber} with the run before`}
          >
            Compare
          </Link>
        )}
      </td>
    </tr>
  );
}
