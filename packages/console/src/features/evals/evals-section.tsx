import type { EvalSuite, Project } from '@proofmark/contract';
import { trialsPassed } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { CopyText } from '../../kit/copy-text.tsx';
import { useWholeList } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { ListSection } from '../../kit/list-section.tsx';
import { latestRunWords } from './runs/run-words.ts';

export function EvalsSection({ project }: { project: Project }) {
  const projectId = project.id;
  return (
    <ListSection
      title="Evals"
      what="suites"
      intro="A suite is a list of cases. A run of it ends in a decision: passed, failed, or why neither could be said."
      query={useWholeList('listEvalSuites', { projectId })}
      add={(isFirst) => (
        <>
          <Link
            to="/projects/$projectId/suites/new"
            params={{ projectId }}
            className="button primary"
          >
            New suite
          </Link>
          {isFirst && (
            <CopyText block text="proofmark suite import my-suite.yaml" label="Copy the command" />
          )}
        </>
      )}
      whoAdds=""
      empty="Write one here, import a suite file, or report the results of runs that were made elsewhere."
      columns={['Suite', 'Latest run', 'Trials passed', 'Time', 'Runs']}
      row={(suite) => (
        <tr key={suite.id}>
          <th scope="row">
            <Link
              to="/projects/$projectId/suites/$suiteId"
              params={{ projectId, suiteId: suite.id }}
            >
              {suite.name}
            </Link>
          </th>
          <LatestRun projectId={projectId} run={suite.latestRun} />
          <td data-label="Runs" className="figures">
            {suite.totals.runs}
          </td>
        </tr>
      )}
    />
  );
}

function LatestRun(props: { projectId: string; run: EvalSuite['latestRun'] }) {
  const { projectId, run } = props;
  if (run === null) {
    return (
      <>
        <td data-label="Latest run">none yet</td>
        <td data-label="Trials passed" />
        <td data-label="Time" />
      </>
    );
  }
  const { word, tone } = latestRunWords(run);
  return (
    <>
      <td data-label="Latest run">
        <Link to="/projects/$projectId/runs/$runId" params={{ projectId, runId: run.id }}>
          <b className={`tone-${tone}`}>{word}</b>
        </Link>
      </td>
      <td data-label="Trials passed" className="figures">
        {trialsPassed(run)}
      </td>
      <td data-label="Time">
        <InstantText atMs={run.createdAt} />
      </td>
    </>
  );
}
