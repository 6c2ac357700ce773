import type { EvalRun } from '@proofmark/contract';
import { count, creditsText, spendingWords } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { Fact } from '../../../kit/fact-list.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { PagePart } from '../../../kit/page-part.tsx';
import { modelsOfRun, runLasted, runSourceWords } from './run-words.ts';

const rerunOfWords = {
  failed: 'what failed in an earlier run',
  notGraded: 'what was not graded in an earlier run',
  all: 'all of an earlier run',
} as const;

export function RunFacts(props: {
  run: EvalRun;
  suiteName: string | undefined;
  models: readonly string[];
  /** Number of loaded trials. */
  trials: number;
}) {
  const { run, suiteName, models } = props;
  const model = modelsOfRun(run, models, props.trials);
  const { projectId, suiteId } = run;
  const isReported = run.source === 'sdk';
  const lasted = runLasted(run);
  return (
    <PagePart id="facts" title="The run">
      <dl className="facts">
        <Fact name="Suite">
          <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
            {suiteName ?? suiteId}
          </Link>
          {`, run ${run.runNumber}`}
        </Fact>
        <Fact name="Environment">
          <EnvironmentOfRun run={run} />
        </Fact>
        {model !== undefined && (
          <Fact name={models.length === 1 ? 'Model' : 'Models'}>{model}</Fact>
        )}
        <Fact name={isReported ? 'Reported' : 'Started'}>
          <InstantText atMs={run.createdAt} />
          {!isReported && `, by ${runSourceWords(run)}`}
        </Fact>
        <ConformanceFact conformance={run.conformance} />
        {run.overlay !== undefined && (
          <Fact name="Overlay">
            {`other words for ${count(run.overlay.tools, 'tool')} than the servers list`}
          </Fact>
        )}
        {isReported && (
          <Fact name="Replay">
            not possible: it was reported from outside, and only trials that were run here are
            recorded
          </Fact>
        )}
        {run.rerunOf !== undefined && (
          <Fact name="Runs again">
            <Link
              to="/projects/$projectId/runs/$runId"
              params={{ projectId, runId: run.rerunOf.runId }}
            >
              {rerunOfWords[run.rerunOf.scope]}
            </Link>
          </Fact>
        )}
        {lasted !== undefined && <Fact name="Lasted">{lasted}</Fact>}
        {run.maxCredits !== undefined && (
          <Fact name="Credits limit">{creditsText(run.maxCredits)}</Fact>
        )}
        {run.spending !== undefined && <Fact name="Used">{spendingWords(run.spending)}</Fact>}
        {run.externalRunId !== null && (
          <Fact name="Reported as">
            <span className="code">{run.externalRunId}</span>
            {run.framework !== null && ` by ${run.framework}`}
          </Fact>
        )}
        {run.tags.length > 0 && <Fact name="Tags">{run.tags.join(', ')}</Fact>}
        {run.notes !== null && run.notes !== '' && (
          <Fact name="Notes">
            <span className="foreign-text">{run.notes}</span>
          </Fact>
        )}
        <Fact name="Details">
          <IdsOfRun run={run} />
        </Fact>
      </dl>
    </PagePart>
  );
}

function IdsOfRun({ run: { id, overlay } }: { run: EvalRun }) {
  return (
    <details>
      <summary>Ids and hashes</summary>
      <p>
        Run: <code>{id}</code>
      </p>
      {overlay !== undefined && (
        <p>
          Overlay: <code>{overlay.hash}</code>
        </p>
      )}
    </details>
  );
}

function ConformanceFact({ conformance }: Pick<EvalRun, 'conformance'>) {
  if (conformance === undefined) return null;
  const { suite, spec, note } = conformance;
  return (
    <Fact name="Played by">
      {`${suite.name} ${suite.version}, at revision ${spec}`}
      {note !== null && `. ${note}`}
    </Fact>
  );
}

function EnvironmentOfRun({ run }: { run: EvalRun }) {
  const { projectId, environment } = run;
  if (environment === null) {
    return run.source === 'sdk' ? 'not recorded' : 'none: the servers of the suite';
  }
  return (
    <>
      <Link
        to="/projects/$projectId/environments/$environmentId"
        params={{ projectId, environmentId: environment.id }}
      >
        {environment.name ?? environment.id}
      </Link>
      {environment.revision !== null && `, revision ${environment.revision}`}
    </>
  );
}
