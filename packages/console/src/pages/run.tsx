/** A run: the verdict first, then where it breaks, the numbers, the trials that did not pass, and what the run was. */
import '../styles/run.css';
import '../styles/server.css';
import {
  cleanText,
  type DecisionSummary,
  outlineSummary,
  verdictWords,
  type WaiverInForce,
} from '@proofmark/domain';
import { Link, useParams } from '@tanstack/react-router';
import {
  type EvalRun,
  type EvalTrial,
  type RunPlace,
  useEvalRun,
  useRunDecision,
} from '../data/eval-runs.ts';
import { useEvalSuite } from '../data/eval-suites.ts';
import { hasEnded } from '../evals/follow-run.ts';
import { verdictTone } from '../evals/run-tone.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { ProjectCrumbs } from '../parts/project-crumbs.tsx';
import { CaseTable } from '../parts/run-page/case-table.tsx';
import { JudgeBlock } from '../parts/run-page/judge-block.tsx';
import { CancelRun, LiveProgress } from '../parts/run-page/live-progress.tsx';
import { RunFacts } from '../parts/run-page/run-facts.tsx';
import { RunNumbers } from '../parts/run-page/run-numbers.tsx';
import { TrialList } from '../parts/run-page/trial-list.tsx';
import { splitVerdict, Words } from '../parts/run-page/words.tsx';

export function RunPage() {
  const place = useParams({ from: '/signed-in/projects/$projectId/runs/$runId' });
  const run = useEvalRun(place);
  // Until the run itself is known there is nothing to say about it.
  if (run.data === undefined) {
    return (
      <Page title="Run" crumbs={<ProjectCrumbs projectId={place.projectId} section="evals" />}>
        <Answer query={run}>{() => null}</Answer>
      </Page>
    );
  }
  return <KnownRun place={place} run={run.data} />;
}

function KnownRun({ place, run }: { place: RunPlace; run: EvalRun }) {
  const { projectId, suiteId } = run;
  const { data: suite } = useEvalSuite({ projectId, suiteId });
  const decision = useRunDecision(place, run);
  const summary = decision.data?.summary;
  const name = `${suite?.name ?? 'Run'}, run ${run.runNumber}`;
  return (
    <Page
      key={run.id}
      title={summary === undefined ? name : `${verdictWords[summary.verdict]}: ${name}`}
      heading={summary === undefined ? name : <VerdictLine summary={summary} />}
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
      actions={hasEnded(run.status) ? undefined : <CancelRun place={place} />}
    >
      <Answer query={decision}>
        {({ summary, trials }) => (
          <Decision
            place={place}
            run={run}
            suiteName={suite?.name}
            summary={summary}
            trials={trials}
            more={{
              isThere: decision.hasNextPage,
              isBusy: decision.isFetchingNextPage,
              load: () => void decision.fetchNextPage(),
            }}
          />
        )}
      </Answer>
    </Page>
  );
}

function VerdictLine({ summary }: { summary: DecisionSummary }) {
  const { verdict, rest } = splitVerdict(outlineSummary(summary).verdict);
  return (
    <>
      <span className={`verdict-word tone-${verdictTone(summary.verdict)}`}>{verdict}</span>
      <Words sentence={rest} />
    </>
  );
}

function Decision(props: {
  place: RunPlace;
  run: EvalRun;
  suiteName: string | undefined;
  summary: DecisionSummary;
  trials: ReadonlyMap<string, EvalTrial>;
  more: Parameters<typeof TrialList>[0]['more'];
}) {
  const { place, run, summary, trials } = props;
  const isLive = !hasEnded(run.status);
  const waiver = waiverOf(run);
  const outline = outlineSummary(summary, { waiver, sessions: run.sessions });
  const failedSoFar = summary.diagnostics.items.filter(({ result }) => result === 'failed').length;
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
      {isLive && <LiveProgress run={run} failedSoFar={failedSoFar} />}
      <RunNumbers run={run} summary={summary} />
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
      <TrialList
        place={place}
        summary={summary}
        trials={trials}
        isLive={isLive}
        more={props.more}
      />
      {summary.verdictSource === 'policyV2' && (
        <CaseTable summary={summary} titles={run.caseTitles} />
      )}
      {run.judges?.goalCompletion !== undefined && (
        <JudgeBlock judge={run.judges.goalCompletion} trials={trials} />
      )}
      <RunFacts run={run} suiteName={props.suiteName} models={modelsOf(run, trials)} />
    </>
  );
}

function waiverOf({ gateWaiver }: EvalRun): WaiverInForce | undefined {
  if (gateWaiver === null) return undefined;
  const until = new Date(gateWaiver.expiresAt).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return { until, by: gateWaiver.createdByEmail, reason: gateWaiver.reason };
}

function modelsOf(run: EvalRun, trials: ReadonlyMap<string, EvalTrial>): string[] {
  const decided = (run.verdictSummary?.cases ?? []).map((row) => row.executionVariant?.model);
  const read = [...trials.values()].map(({ model }) => model);
  const named = [...decided, ...read].filter((model) => typeof model === 'string');
  return [...new Set(named)].map((model) => cleanText(model, false));
}
