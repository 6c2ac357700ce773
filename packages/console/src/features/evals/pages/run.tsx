/**
 * The page of a run: the verdict first, then the stages at which trials fail, the numbers, the
 * trials that did not pass, and details.
 */
import '../../../kit/styles/run.css';
import '../../../kit/styles/server.css';
import '../../../kit/styles/stage-map.css';
import type { EvalRun } from '@proofmark/contract';
import {
  cleanText,
  type DecisionSummary,
  knownOfRun,
  summaryOfRun,
  type TrialsNotPassed,
  verdictWords,
  wentAsRecorded,
} from '@proofmark/domain';
import {
  endedTrials,
  groupTrials,
  outlineSummary,
  type SummaryOutline,
  sharedCause,
  verdictSentence,
  waiverOf,
} from '@proofmark/report';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { FoldedParts } from '../../../kit/page-part.tsx';
import type { MoreItems } from '../../../kit/pager.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { InsightsBlock } from '../../insights/index.ts';
import {
  type EvalTrial,
  isRunUnderWay,
  type RunIds,
  useEvalRun,
  useRequestInsights,
} from '../data/eval-runs.ts';
import { useEvalSuite } from '../data/eval-suites.ts';
import { useRunEvents } from '../data/run-events.ts';
import { useRunStages, useRunTrials } from '../data/run-trials.ts';
import { useRunSurface } from '../data/surfaces.ts';
import { AllTrials } from '../runs/all-trials.tsx';
import { CaseTable } from '../runs/case-table.tsx';
import { CauseBanner } from '../runs/cause-banner.tsx';
import { CompareBlock } from '../runs/compare-block.tsx';
import { isLongRun, isRunEnded } from '../runs/follow-run.ts';
import { JudgeBlock, JudgeVotesBlock } from '../runs/judge-block.tsx';
import { LintBlock } from '../runs/lint-block.tsx';
import { LiveProgress } from '../runs/live-progress.tsx';
import { LostConnection } from '../runs/lost-connection.tsx';
import { PickedTrials } from '../runs/picked-trials.tsx';
import { ReplayLines } from '../runs/replay-lines.tsx';
import { RunActions } from '../runs/run-actions.tsx';
import { RunFacts } from '../runs/run-facts.tsx';
import { RunNumbers } from '../runs/run-numbers.tsx';
import { RunQuarantine } from '../runs/run-quarantine.tsx';
import { isFiltered, type RunSearch, searchWords } from '../runs/run-search.ts';
import { isPlayedHere } from '../runs/run-words.ts';
import { StageMap } from '../runs/stage-map.tsx';
import { choicesOf } from '../runs/stage-map-links.ts';
import { TrialFilters } from '../runs/trial-filters.tsx';
import { TrialList } from '../runs/trial-list.tsx';
import { VerdictHeading } from '../runs/verdict-heading.tsx';
import { Words } from '../runs/words.tsx';

export function RunDetailPage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/runs/$runId' });
  const run = useEvalRun(ids);
  useRunEvents(ids, run.data !== undefined && !isRunEnded(run.data.status));
  const { base } = useSearch({ from: '/signed-in/projects/$projectId/runs/$runId' });
  if (base !== undefined) {
    // Older addresses contain the run to compare with as a parameter. They are redirected to the
    // comparison's own page.
    const params = { ...ids, baseRunId: base };
    return (
      <Navigate to="/projects/$projectId/runs/$runId/compare/$baseRunId" params={params} replace />
    );
  }
  if (run.data === undefined) {
    return (
      <PageFrame title="Run" crumbs={<ProjectCrumbs projectId={ids.projectId} section="evals" />}>
        <QueryView query={run}>{() => null}</QueryView>
      </PageFrame>
    );
  }
  return <KnownRun ids={ids} run={run.data} lastReadAtMs={run.dataUpdatedAt} />;
}

function KnownRun(props: { ids: RunIds; run: EvalRun; lastReadAtMs: number }) {
  const { ids, run } = props;
  const search = useSearch({ from: '/signed-in/projects/$projectId/runs/$runId' });
  const { projectId, suiteId } = run;
  const { data: suite } = useEvalSuite({ projectId, suiteId });
  const notPassed = useRunTrials(ids, run, {});
  const isAll = !notPassed.hasNextPage;
  const page = notPassed.data && { items: notPassed.data, isAll };
  const { summary, outline } = useOutlineOfRun(ids, run, page);
  const name = `${suite?.name ?? 'Run'}, run ${run.runNumber}`;
  const isLive = !isRunEnded(run.status);
  const word = endedWord(run, summary);
  return (
    <PageFrame
      key={run.id}
      title={isLive || word === undefined ? name : `${word}: ${name}`}
      heading={
        isLive ? (
          'Running: no verdict yet'
        ) : summary === undefined || outline === undefined ? (
          name
        ) : (
          <VerdictHeading
            sentence={page ? verdictSentence(summaryOfRun(run, page)) : outline.verdict}
            verdict={wentAsRecorded(run.replay) ? summary.verdict : 'inconclusive'}
          />
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
      actions={<RunActions ids={ids} run={run} suiteName={suite?.name} />}
    >
      <LostConnection isFollowing={isRunUnderWay(run)} lastReadAtMs={props.lastReadAtMs} />
      <QueryView query={notPassed}>
        {(trials) =>
          summary !== undefined &&
          outline !== undefined && (
            <Decision
              ids={ids}
              run={run}
              search={search}
              summary={summary}
              outline={outline}
              isAll={isAll}
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

/** Returns an empty object until the trials that did not pass are loaded. */
function useOutlineOfRun(ids: RunIds, run: EvalRun, page: TrialsNotPassed | undefined) {
  const { data: surface } = useRunSurface(ids, run);
  if (page === undefined) return {};
  // The page shows the replay's result with links above this summary, so the summary omits it.
  const runWithoutReplay = { ...run, replay: undefined };
  const summary = summaryOfRun(runWithoutReplay, page);
  const outline = outlineSummary(summary, {
    ...knownOfRun(run, page.isAll),
    waiver: waiverOf(run),
    surface: surface ?? undefined,
  });
  return { summary, outline };
}

function endedWord(run: EvalRun, summary: DecisionSummary | undefined): string | undefined {
  if (!wentAsRecorded(run.replay)) return 'no answer';
  if (run.nothingCalled === true) return 'nothing called';
  return summary && verdictWords[summary.verdict];
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the blocks of one page in their order, most of them shown only where the run has something for them.
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the blocks of one page in their order, most of them shown only where the run has something for them.
function Decision(props: {
  ids: RunIds;
  run: EvalRun;
  search: RunSearch;
  suiteName: string | undefined;
  summary: DecisionSummary;
  outline: SummaryOutline;
  notPassed: readonly EvalTrial[];
  isAll: boolean;
  more: MoreItems;
}) {
  const { ids, run, search, summary, outline, notPassed } = props;
  const trials = useRunTrials(ids, run, { result: 'all' });
  const { data: stages } = useRunStages(ids, run);
  const { cases, models } = choicesOf(stages?.cases ?? []);
  const byId = new Map(notPassed.map((trial) => [trial.id, trial]));
  const groups = groupTrials(endedTrials(summary), false, { calls: byId });
  const cause = sharedCause(groups, props.isAll);
  const read = [...notPassed, ...(trials.data ?? [])];
  const isLive = !isRunEnded(run.status);
  const isLong = isLongRun(run);
  const failedSoFar = notPassed.filter(({ result }) => result === 'failed').length;
  const about = isLive ? [] : outline.about;
  return (
    <FoldedParts isFolded={isLong}>
      {run.replay !== undefined && <ReplayLines ids={ids} replay={run.replay} trials={notPassed} />}
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
      {!isLive && <RunQuarantine run={run} summary={summary} notPassed={notPassed} place="top" />}
      {!isLive && outline.next !== undefined && (
        <p className="next-for-run">
          <b>Next:</b> <Words sentence={outline.next} />
        </p>
      )}
      {cause !== undefined && (
        <CauseBanner
          ids={ids}
          run={run}
          cause={cause}
          trial={byId.get(cause.group.members[0].iterationId)}
        />
      )}
      {stages === undefined ? (
        <div className="map-to-come" />
      ) : (
        <StageMap
          ids={ids}
          runStages={stages}
          search={search}
          verdict={isLive ? undefined : summary.verdict}
        />
      )}
      <TrialFilters ids={ids} search={search} cases={cases} models={models} />
      {isFiltered(search) ? (
        <PickedTrials
          ids={ids}
          run={run}
          search={search}
          isLong={isLong}
          words={searchWords(search, cases.find(({ id }) => id === search.case)?.name)}
        />
      ) : (
        <TrialList
          ids={ids}
          run={run}
          outline={outline}
          groups={groups}
          isLive={isLive}
          shownAbove={cause?.group}
          trials={notPassed}
          isLong={isLong}
          more={props.more}
        />
      )}
      <Parts isFolded={isLong}>
        <AllTrials
          ids={ids}
          trials={trials.data ?? []}
          isLong={isLong}
          more={{
            isThere: trials.hasNextPage,
            isBusy: trials.isFetchingNextPage,
            load: () => void trials.fetchNextPage(),
          }}
        />
        {!isLive && isPlayedHere(run) && <LintBlock ids={ids} run={run} />}
        {run.insights !== undefined && <RunInsights ids={ids} insights={run.insights} />}
        {summary.verdictSource === 'policyV2' && (
          <CaseTable ids={ids} summary={summary} titles={run.caseTitles} />
        )}
        {!isLive && (
          <RunQuarantine run={run} summary={summary} notPassed={notPassed} place="below" />
        )}
        {!isLive && <CompareBlock ids={ids} run={run} />}
        {run.judges !== undefined && (
          <>
            {run.judges.assertions !== undefined && (
              <JudgeVotesBlock votes={run.judges.assertions} />
            )}
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
      </Parts>
    </FoldedParts>
  );
}

function Parts(props: { isFolded: boolean; children: ReactNode }) {
  return props.isFolded ? <div className="page-parts">{props.children}</div> : props.children;
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
