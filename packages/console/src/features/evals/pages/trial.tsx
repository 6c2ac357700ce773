import '../../../kit/styles/run.css';
import '../../../kit/styles/server.css';
import '../../../kit/styles/trace.css';
import '../../../kit/styles/conversation.css';
import { ApiError } from '@proofmark/client';
import { cleanText, readChain, spendingWords } from '@proofmark/domain';
import {
  noDifferences,
  outlineTrial,
  passedWithFailedStage,
  readChecks,
  toldStatus,
  trialEndWords,
} from '@proofmark/report';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../../kit/data/operations.ts';
import { Checkbox } from '../../../kit/field.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { seenAfterSteps } from '../../widgets/index.ts';
import { type EvalTrial, type RunIds, useEvalRun, useEvalTrace } from '../data/eval-runs.ts';
import { useEvalTrial } from '../data/run-trials.ts';
import { MakeCase } from '../make-case.tsx';
import { EditCaseOfTrial } from '../runs/edit-case.tsx';
import { ExpectedObserved } from '../runs/expected-observed.tsx';
import { isTrialOpen } from '../runs/follow-run.ts';
import { verdictTone } from '../runs/run-tone.ts';
import { StageLegend, StageStrip } from '../runs/stage-strip.tsx';
import { facetsOf, TrialExplanation } from '../runs/trial-explanation.tsx';
import { traceCommands } from '../trials/as-commands.ts';
import { caseOfTrial } from '../trials/case-of-trial.ts';
import { CommandChoice } from '../trials/command-choice.tsx';
import { diagnoseTrial } from '../trials/diagnose-trial.ts';
import { DivergenceView } from '../trials/divergence-view.tsx';
import { OfferedTools } from '../trials/offered-tools.tsx';
import { type ConversationTurn, readConversation } from '../trials/read-conversation.ts';
import { TraceView } from '../trials/trace-view.tsx';
import { TrialWalk } from '../trials/trial-walk.tsx';
import { TrialWidgetList } from '../trials/trial-widget-list.tsx';
import { TurnChecks } from '../trials/turn-checks.tsx';

export function TrialDetailPage() {
  const { projectId, runId, trialId } = useParams({
    from: '/signed-in/projects/$projectId/runs/$runId/trials/$trialId',
  });
  const search = useSearch({
    from: '/signed-in/projects/$projectId/runs/$runId/trials/$trialId',
  });
  const ids = { projectId, runId };
  const { data: trial } = useEvalTrial(ids, trialId);
  const isOpen = trial !== undefined && isTrialOpen(trial.status);
  const trace = useEvalTrace(ids, trialId, isOpen);
  const widgets =
    useOperation(
      'getEvalIterationWidgets',
      { ...ids, iterationId: trialId },
      { enabled: trial !== undefined && !isOpen },
    ).data?.items ?? [];
  const seen = widgets.length > 0 && <TrialWidgetList key={trialId} widgets={widgets} />;
  const checks = trial === undefined ? [] : readChecks(trial);
  const isWithout =
    trace.error instanceof ApiError && trace.error.details['reason'] === 'TRACE_NOT_AVAILABLE';
  return (
    <PageFrame
      title={trial ? `${nameOf(trial)}: ${outcomeOf(trial)}` : 'Trace'}
      heading={trial && <TrialHeading trial={trial} />}
      crumbs={
        <>
          <ProjectCrumbs projectId={projectId} section="evals" />
          {' / '}
          <Link to="/projects/$projectId/runs/$runId" params={ids} search={search} hash={trialId}>
            Run
          </Link>
          {' / trace'}
        </>
      }
      actions={
        trial && <TrialActions ids={ids} trialId={trialId} trial={trial} trace={trace.data} />
      }
    >
      <TrialWalk ids={ids} trialId={trialId} search={search} />
      {trial && <DivergenceView trial={trial} />}
      {trial && <TrialFacts ids={ids} trial={trial} />}
      <CommandChoice
        title="Read this trace in a terminal"
        {...traceCommands({ origin: window.location.origin, ...ids, trialId })}
      />
      {isWithout && checks.length > 0 && (
        <TurnChecks title="Checks" checks={checks} evidence={undefined} />
      )}
      {isWithout ? (
        <>
          <NoTrace isOpen={isOpen} />
          {seen}
        </>
      ) : (
        <QueryView query={trace}>
          {(found) => (
            <TraceView
              key={trialId}
              trace={found}
              checks={checks}
              projectId={projectId}
              stages={trial?.stageResults ?? []}
              calls={trial?.actualToolCalls ?? []}
              isExplained={trial !== undefined}
              seen={seenAfterSteps(widgets)}
              widgets={seen}
              offered={(hash) => (
                <OfferedTools key={trialId} hash={hash} ids={ids} trialId={trialId} />
              )}
            />
          )}
        </QueryView>
      )}
    </PageFrame>
  );
}

function TrialActions(props: {
  ids: RunIds;
  trialId: string;
  trial: EvalTrial;
  trace: ReturnType<typeof useEvalTrace>['data'];
}) {
  const { ids, trialId, trial, trace } = props;
  return (
    <>
      <EditCaseOfTrial ids={ids} trial={trial} />
      {trace && (
        <MakeCaseOfTrial
          key={trialId}
          ids={ids}
          trial={trial}
          turns={readConversation({
            messages: trace.messages,
            spans: trace.spans,
            calls: trial.actualToolCalls,
          })}
        />
      )}
    </>
  );
}

function NoTrace({ isOpen }: { isOpen: boolean }) {
  return (
    <div className="panel empty">
      <h2>{isOpen ? 'No trace yet' : 'No trace'}</h2>
      <p role="status">
        {isOpen
          ? 'This trial has not ended. What was said and called stands here as soon as it has.'
          : 'This trial came without a trace. Everything that was reported stands above.'}
      </p>
    </div>
  );
}

function TrialHeading({ trial }: { trial: EvalTrial }) {
  return (
    <>
      {`${nameOf(trial)}: `}
      <span className={`tone-${verdictTone(trial.result ?? '')}`}>{outcomeOf(trial)}</span>
    </>
  );
}

function nameOf({ title, iterationNumber }: EvalTrial): string {
  return `${cleanText(title ?? 'Trial', false)}, trial ${iterationNumber}`;
}

function outcomeOf(trial: EvalTrial): string {
  return trialEndWords(trial) ?? trial.status;
}

function TrialFacts({ ids, trial }: { ids: RunIds; trial: EvalTrial }) {
  const chain = readChain({
    ...(trial.stageResults !== undefined && { stageResults: trial.stageResults }),
    ...(trial.firstFailedStage !== undefined && { firstFailedStage: trial.firstFailedStage }),
    ...(trial.failureCategory !== undefined && { failureCategory: trial.failureCategory }),
    ...(trial.stageAnalyzerVersion !== undefined && {
      stageAnalyzerVersion: trial.stageAnalyzerVersion,
    }),
  });
  const facets = facetsOf(trial).map((facet) => cleanText(facet, false));
  const diagnostic = diagnoseTrial(ids, trial);
  const calls = new Map([[trial.id, trial]]);
  const despite =
    trial.result === 'passed' && chain.status === 'verified'
      ? passedWithFailedStage(chain.stages, trial.hasTrace !== undefined)
      : undefined;
  return (
    <div className="trial-facts">
      {facets.length > 0 && <p className="hint">{facets.join(' · ')}</p>}
      {trial.spending !== undefined && (
        <p className="hint">{`Used ${spendingWords(trial.spending)}.`}</p>
      )}
      {chain.status === 'verified' && (
        <StageStrip stages={chain.stages} status={toldStatus(trial)} isLinked />
      )}
      {despite !== undefined && <p className="why">{despite}</p>}
      {trial.warnings?.map(({ path, message }) => (
        <p key={path} className="warning">
          <bdi>{cleanText(message, false)}</bdi>
        </p>
      ))}
      {/* Only for passed trials: calls of trials in progress are still unknown, and other trials have an explanation that contains the calls. */}
      {trial.result === 'passed' && (
        <ExpectedObserved
          expected={trial.expectedToolCalls}
          observed={trial.actualToolCalls}
          failure={trial.error ?? undefined}
          marks={noDifferences}
        />
      )}
      {diagnostic !== undefined && (
        <TrialExplanation
          ids={ids}
          diagnostic={diagnostic}
          facts={outlineTrial(diagnostic, false, { calls }).facts}
          trial={trial}
        />
      )}
      {chain.status === 'verified' && <StageLegend />}
    </div>
  );
}

const title = 'Make a case of this';

function MakeCaseOfTrial(props: {
  ids: RunIds;
  trial: EvalTrial;
  turns: readonly ConversationTurn[];
}) {
  const { ids, trial, turns } = props;
  const run = useEvalRun(ids);
  const [expectCalls, setExpectCalls] = useState(trial.result === 'passed');
  if (caseOfTrial(turns, { title, expectCalls: false }) === undefined) return null;
  const called = cleanText(trial.title ?? 'Trial', false).slice(0, 150);
  return (
    <MakeCase
      projectId={ids.projectId}
      title={title}
      source={{ body: (name) => caseOfTrial(turns, { title: name, expectCalls }) }}
      intro="What the user said becomes its prompts; calls that no model chose are made again."
      name={{ start: `${called}, as in trial ${trial.iterationNumber}` }}
      isDisabled={run.data === undefined}
      {...(run.data !== undefined && { ofSuite: run.data.suiteId })}
    >
      <Checkbox
        label="Expect the calls that succeeded"
        hint="With the arguments they had. Leave it out where they were wrong."
        checked={expectCalls}
        onChange={setExpectCalls}
      />
    </MakeCase>
  );
}
