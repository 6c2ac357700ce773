/**
 * Compares two runs of a suite: the verdict first, then the cases whose result changed, the
 * differences between the runs, and their costs.
 */
import '../../../kit/styles/run.css';
import '../../../kit/styles/server.css';
import '../../../kit/styles/workbench.css';
import '../../../kit/styles/trace.css';
import '../../../kit/styles/conversation.css';
import '../../../kit/styles/stage-map.css';
import '../compare/compare.css';
import { whatIfSentence, whatIfStages } from '@proofmark/domain';
import {
  comparisonWords,
  describeDifferences,
  replaySentences,
  surfaceTotal,
} from '@proofmark/report';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { ChooseBase } from '../compare/choose-base.tsx';
import { figureRows } from '../compare/compare-words.ts';
import { ContentChanges } from '../compare/content-changes.tsx';
import { MovedCases } from '../compare/moved-cases.tsx';
import { SurfaceChanges } from '../compare/surface-changes.tsx';
import type { RunIds } from '../data/eval-runs.ts';
import {
  isGoingOn,
  type RunComparison,
  runBefore,
  useRunComparison,
  useRunDifferences,
} from '../data/run-comparison.ts';
import { useWhatIf } from '../data/what-if.ts';
import { verdictTone } from '../runs/run-tone.ts';
import { keepPercent, Words } from '../runs/words.tsx';

const route = '/signed-in/projects/$projectId/runs/$runId/compare/$baseRunId';
const tones = {
  worse: 'fail',
  better: 'pass',
  unclear: 'hold',
  other: 'none',
  same: 'none',
} as const;

export function ComparePage() {
  const { projectId, runId, baseRunId } = useParams({ from: route });
  const ids = { projectId, runId };
  const comparison = useRunComparison(ids, baseRunId);
  const compared = comparison.data === 'none' ? undefined : comparison.data;
  if (compared !== undefined && baseRunId === runBefore) {
    // Redirects to an address with the ids of both runs, so that a copied link always shows the
    // same comparison.
    const params = { ...ids, baseRunId: compared.baseRun.id };
    return (
      <Navigate to="/projects/$projectId/runs/$runId/compare/$baseRunId" params={params} replace />
    );
  }
  const words = compared && comparisonWords(compared.baseRun.runNumber, compared);
  return (
    <PageFrame
      title={words?.text ?? 'Two runs compared'}
      heading={
        words && (
          <>
            <span className={`tone-${tones[words.tone]}`}>{words.head}</span>
            {words.text.slice(words.head.length)}
          </>
        )
      }
      crumbs={
        <>
          <ProjectCrumbs projectId={projectId} section="evals" />
          {compared !== undefined && (
            <>
              {' / '}
              <Link
                to="/projects/$projectId/suites/$suiteId"
                params={{ projectId, suiteId: compared.suite.id }}
              >
                <bdi>{compared.suite.name}</bdi>
              </Link>
            </>
          )}
          {' / '}
          <Link to="/projects/$projectId/runs/$runId" params={ids}>
            {compared === undefined ? 'Run' : `Run ${compared.compareRun.runNumber}`}
          </Link>
          {' / compared'}
        </>
      }
    >
      <QueryView query={comparison}>
        {(found) =>
          found === 'none' ? (
            <NoBase ids={ids} base={baseRunId} />
          ) : (
            <Beside ids={ids} compared={found} />
          )
        }
      </QueryView>
    </PageFrame>
  );
}

function NoBase({ ids, base }: { ids: RunIds; base: string }) {
  return (
    <Empty title={base === runBefore ? 'There is no run before this one' : 'There is no such run'}>
      <p>
        {base === runBefore
          ? 'No earlier run of this suite was completed. Run the suite again, then compare the new run with this one.'
          : 'The suite of this run has no completed run with the id in this address.'}
      </p>
      <p>
        <Link to="/projects/$projectId/runs/$runId" params={ids}>
          Back to the run
        </Link>
      </p>
    </Empty>
  );
}

function Beside({ ids, compared }: { ids: RunIds; compared: RunComparison }) {
  const { baseRun, compareRun, suite } = compared;
  const { case: openKey } = useSearch({ from: route });
  const navigate = useNavigate();
  const differences = useRunDifferences(ids, baseRun.id, !isGoingOn(compared));
  const open = (caseKey: string | undefined) =>
    void navigate({
      to: '/projects/$projectId/runs/$runId/compare/$baseRunId',
      params: { ...ids, baseRunId: baseRun.id },
      search: caseKey === undefined ? {} : { case: caseKey },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <p className="about-run">
        {[compareRun, baseRun].map((run, index) => (
          <span key={run.id}>
            {index === 1 && ' beside '}
            <Link
              to="/projects/$projectId/runs/$runId"
              params={{ projectId: ids.projectId, runId: run.id }}
            >{`run ${run.runNumber}`}</Link>
            {', '}
            <b className={`tone-${verdictTone(run.result)}`}>{run.result}</b>
            {', of '}
            <InstantText atMs={run.createdAt} />
          </span>
        ))}
        .
      </p>
      {isGoingOn(compared) && (
        <p role="status">
          Not everything has ended: what stands here follows the runs, and is final when both have.
        </p>
      )}
      {comparisonWords(baseRun.runNumber, compared).details.map((sentence) => (
        <p key={sentence} className="hint">
          {keepPercent(sentence)}
        </p>
      ))}
      <WhatIfLine projectId={ids.projectId} compared={compared} />
      <ChooseBase ids={ids} suiteId={suite.id} base={baseRun.id} />
      <MovedCases projectId={ids.projectId} compared={compared} openKey={openKey} onOpen={open} />
      <CandidateCauses projectId={ids.projectId} compared={compared} />
      <QueryView query={differences}>
        {(found) => (
          <>
            <SurfaceChanges compared={compared} tools={found.tools} />
            <ContentChanges compared={compared} differences={found} />
          </>
        )}
      </QueryView>
      <FiguresBeside compared={compared} />
    </>
  );
}

function FiguresBeside({ compared }: { compared: RunComparison }) {
  const { baseRun, compareRun } = compared;
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">{`Run ${baseRun.runNumber}`}</th>
            <th scope="col">{`Run ${compareRun.runNumber}`}</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {figureRows(compared).map(({ name, base, compare, difference }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label={`Run ${baseRun.runNumber}`} className="figures">
                {base}
              </td>
              <td data-label={`Run ${compareRun.runNumber}`} className="figures">
                {compare}
              </td>
              <td data-label="Difference" className="figures">
                {difference ?? ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function WhatIfLine(props: { projectId: string; compared: RunComparison }) {
  const { baseRun, compareRun } = props.compared;
  const isWhatIf = compareRun.overlayHash !== undefined && baseRun.overlayHash === undefined;
  const isWanted = isWhatIf && !isGoingOn(props.compared);
  const { data } = useWhatIf(props.projectId, baseRun.id, compareRun.id, isWanted);
  if (!isWanted || data === undefined) return null;
  const { result, counts } = data;
  return (
    <p className="about-run" data-what-if>
      {keepPercent([whatIfSentence(result, counts), ...whatIfStages(result)].join(' '))}
    </p>
  );
}

/** Maximum number of tool differences shown between the two runs, the likeliest cause first. */
const mostShown = 10;

function CandidateCauses(props: { projectId: string; compared: RunComparison }) {
  const { projectId, compared } = props;
  const { surface, baseRun, compareRun } = compared;
  const isSame = comparisonWords(baseRun.runNumber, compared).tone === 'same';
  const differences = describeDifferences(surface).slice(0, mostShown);
  const unlisted = surfaceTotal(surface) - differences.length;
  const overlaid = [baseRun, compareRun].filter(({ overlayHash }) => overlayHash !== undefined);
  const replayed = [baseRun, compareRun].filter(({ replay }) => replay !== undefined);
  if (differences.length + overlaid.length + replayed.length === 0) return null;
  return (
    <section aria-labelledby="causes">
      <h2 id="causes">{isSame ? 'Changed between the runs' : 'Candidates for the cause'}</h2>
      {overlaid.map(({ id, runNumber }) => (
        <p key={id} className="warning">
          {`In run ${runNumber} models were shown an overlay in the place of what servers list.`}
        </p>
      ))}
      {replayed.map(({ id, runNumber, replay }) => (
        <p key={id} className="warning">
          {`Run ${runNumber}: `}
          <Words sentence={replaySentences(replay).flatMap((one) => [...one, ' '])} />
        </p>
      ))}
      {differences.length > 0 && (
        <ol>
          {differences.map(({ sentence, trials: [trialId] }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences in a fixed order.
            <li key={index}>
              <Words sentence={sentence} />
              {trialId !== undefined && (
                <>
                  {' '}
                  <Link
                    to="/projects/$projectId/runs/$runId/trials/$trialId"
                    params={{ projectId, runId: compareRun.id, trialId }}
                  >
                    The first of them
                  </Link>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      {unlisted > 0 && <p className="hint">{`${unlisted} more differences are told below.`}</p>}
    </section>
  );
}
