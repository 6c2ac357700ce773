/** A run: the verdict first, then where it breaks, the numbers, the trials that did not pass, and what the run was. */
import type { EvalRun } from '@proofmark/contract';
import '../styles/run.css';
import '../styles/server.css';
import {
  cleanText,
  type DecisionSummary,
  knownOfRun,
  outlineSummary,
  type SummaryOutline,
  summaryOfRun,
  verdictWords,
  waiverOf,
} from '@proofmark/domain';
import { Link, useParams } from '@tanstack/react-router';
import {
  type EvalTrial,
  type RunIds,
  useEvalRun,
  useRequestInsights,
  useRunTrials,
  useTrialsNotPassed,
} from '../data/eval-runs.ts';
import { useEvalSuite } from '../data/eval-suites.ts';
import { isRunEnded } from '../evals/follow-run.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { AllTrials } from '../parts/run-page/all-trials.tsx';
import { CaseTable } from '../parts/run-page/case-table.tsx';
import { CompareBlock } from '../parts/run-page/compare-block.tsx';
import { InsightsBlock } from '../parts/run-page/insights-block.tsx';
import { JudgeBlock, JudgeVotesBlock } from '../parts/run-page/judge-block.tsx';
import { CancelEvalRun, LiveProgress } from '../parts/run-page/live-progress.tsx';
import { RerunEvalRun } from '../parts/run-page/rerun.tsx';
import { RunFacts } from '../parts/run-page/run-facts.tsx';
import { RunNumbers } from '../parts/run-page/run-numbers.tsx';
import { TrialList } from '../parts/run-page/trial-list.tsx';
import { VerdictHeading } from '../parts/run-page/verdict-heading.tsx';
import { Words } from '../parts/run-page/words.tsx';

export function RunDetailPage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/runs/$runId' });
  const run = useEvalRun(ids);
  // Until the run itself is known there is nothing to say about it.
  if (run.data === undefined) {
    return (
      <PageFrame title="Run" crumbs={<ProjectCrumbs projectId={ids.projectId} section="evals" />}>
        <QueryView query={run}>{() => null}</QueryView>
      </PageFrame>
    );
  }
  return <KnownRun ids={ids} run={run.data} />;
}

function KnownRun({ ids, run }: { ids: RunIds; run: EvalRun }) {
  const { projectId, suiteId } = run;
  const { data: suite } = useEvalSuite({ projectId, suiteId });
  const notPassed = useTrialsNotPassed(ids, run);
  const isAll = !notPassed.hasNextPage;
  const summary = notPassed.data && summaryOfRun(run, { items: notPassed.data, isAll });
  const outline =
    summary && outlineSummary(summary, { ...knownOfRun(run, isAll), waiver: waiverOf(run) });
  const name = `${suite?.name ?? 'Run'}, run ${run.runNumber}`;
  return (
    <PageFrame
      key={run.id}
      title={summary === undefined ? name : `${verdictWords[summary.verdict]}: ${name}`}
      heading={
        summary === undefined || outline === undefined ? (
          name
        ) : (
          <VerdictHeading sentence={outline.verdict} verdict={summary.verdict} />
        )
      }
      crumbs={
        <>
          <ProjectCrumbs projectId={projectId} section="evals" />
          {' / '}
          <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
            {suite?.name ?? 'Suite'}
          </Link>
          {` / run ${run.runNumber}`}
        </>
      }
      actions={
        isRunEnded(run.status) ? <RerunEvalRun ids={ids} run={run} /> : <CancelEvalRun ids={ids} />
      }
    >
      <QueryView query={notPassed}>
        {(trials) =>
          summary !== undefined &&
          outline !== undefined && (
            <Decision
              {...{ ids, run, summary, outline, isAll }}
              suiteName={suite?.name}
              notPassed={trials}
              more={{
                isThere: notPassed.hasNextPage,
                isBusy: notPassed.isFetchingNextPage,
                load: () => void notPassed.fetchNextPage(),
              }}
            />
          )
        }
      </QueryView>
    </PageFrame>
  );
}

function Decision(props: {
  ids: RunIds;
  run: EvalRun;
  suiteName: string | undefined;
  summary: DecisionSummary;
  outline: SummaryOutline;
  notPassed: readonly EvalTrial[];
  isAll: boolean;
  more: Parameters<typeof TrialList>[0]['more'];
}) {
  const { ids, run, summary, outline, notPassed } = props;
  const trials = useRunTrials(ids, run);
  const read = [...notPassed, ...(trials.data ?? [])];
  const isLive = !isRunEnded(run.status);
  const failedSoFar = notPassed.filter(({ result }) => result === 'failed').length;
  const about = isLive ? [] : outline.about;
  return (
    <>
      {about.length > 0 && (
        <p className="about-run">
          {about.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences in a fixed order.
            <span key={index}>
              <Words sentence={sentence} />{' '}
            </span>
          ))}
        </p>
      )}
      {isLive && <LiveProgress run={run} failedSoFar={failedSoFar} isAll={props.isAll} />}
      <RunNumbers summary={summary} />
      {outline.waiver !== undefined && (
        <p className="waiver">
          <Words sentence={outline.waiver} />
        </p>
      )}
      {!isLive && outline.next !== undefined && (
        <p className="next-for-run">
          <b>Next:</b> <Words sentence={outline.next} />
        </p>
      )}
      {run.insights !== undefined && <RunInsights ids={ids} insights={run.insights} />}
      <TrialList {...{ ids, summary, outline, isLive }} trials={notPassed} more={props.more} />
      <AllTrials
        ids={ids}
        trials={trials.data ?? []}
        more={{
          isThere: trials.hasNextPage,
          isBusy: trials.isFetchingNextPage,
          load: () => void trials.fetchNextPage(),
        }}
      />
      {summary.verdictSource === 'policyV2' && (
        <CaseTable ids={ids} summary={summary} titles={run.caseTitles} />
      )}
      {!isLive && <CompareBlock ids={ids} />}
      {run.judges !== undefined && (
        <>
          {run.judges.assertions !== undefined && <JudgeVotesBlock votes={run.judges.assertions} />}
          <JudgeBlock of="goalCompletion" judge={run.judges.goalCompletion} trials={read} />
          <JudgeBlock of="groundedness" judge={run.judges.groundedness} trials={read} />
        </>
      )}
      <RunFacts
        run={run}
        suiteName={props.suiteName}
        models={modelsOf(run, read)}
        trials={read.length}
      />
    </>
  );
}

function RunInsights(props: { ids: RunIds; insights: NonNullable<EvalRun['insights']> }) {
  const { ids, insights } = props;
  return (
    <InsightsBlock
      projectId={ids.projectId}
      insights={insights}
      unit="trial"
      asking={useRequestInsights(ids)}
      evidenceLink={({ iterationId: trialId }, words) =>
        trialId === undefined ? (
          words
        ) : (
          <Link to="/projects/$projectId/runs/$runId/trials/$trialId" params={{ ...ids, trialId }}>
            {words}
          </Link>
        )
      }
    />
  );
}

function modelsOf(run: EvalRun, trials: readonly EvalTrial[]): string[] {
  const decided = (run.verdictSummary?.cases ?? []).map((row) => row.executionVariant?.model);
  const read = trials.map(({ model }) => model);
  const named = [...decided, ...read].filter((model) => typeof model === 'string');
  return [...new Set(named)].map((model) => cleanText(model, false));
}
