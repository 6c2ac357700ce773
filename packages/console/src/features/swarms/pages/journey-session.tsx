import '../../../kit/styles/run.css';
import '../../../kit/styles/server.css';
import '../../../kit/styles/trace.css';
import '../../../kit/styles/conversation.css';
import '../swarms.css';
import { ApiError } from '@proofmark/client';
import { count, tierAllows } from '@proofmark/domain';
import { doerOfSessionEnd, doingSentence, playersSentence, targetName } from '@proofmark/report';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../kit/data/client.ts';
import { Checkbox } from '../../../kit/field.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { Missing, QueryView } from '../../../kit/query-view.tsx';
import { MakeCase, type RunIds, StageLegend, StageStrip, TraceView } from '../../evals/index.ts';
import {
  type JourneySession,
  useJourneyRun,
  useSessionTrace,
  type WatchedRun,
} from '../data/journey-runs.ts';
import { SessionCriteria, SessionJudge } from '../session-grades.tsx';
import { endWords, sessionWords } from '../session-words.ts';

export function JourneySessionPage() {
  const { projectId, runId, sessionId } = useParams({
    from: '/signed-in/projects/$projectId/journey-runs/$runId/sessions/$sessionId',
  });
  const ids = { projectId, runId };
  const watched = useJourneyRun(ids);
  const session = watched.data?.sessions.find(({ id }) => id === sessionId);
  const named = watched.data && session && nameOf(watched.data, session);
  const { data: project } = useProject(projectId);
  const mayKeep = tierAllows(project?.role, 'member') && session?.outcome === 'succeeded';
  return (
    <PageFrame
      title={named === undefined ? 'Session' : `${named.name}: ${named.word}`}
      heading={
        named && (
          <>
            {`${named.name}: `}
            <span className={`tone-${named.tone}`}>{named.word}</span>
          </>
        )
      }
      crumbs={
        <>
          <ProjectCrumbs projectId={projectId} section="swarms" />
          {' / '}
          <Link to="/projects/$projectId/journey-runs/$runId" params={ids}>
            Run
          </Link>
          {' / session'}
        </>
      }
      actions={mayKeep ? <MakeCaseOfSession ids={ids} sessionId={sessionId} /> : undefined}
    >
      <QueryView query={watched}>
        {(all) =>
          session === undefined ? (
            <Missing />
          ) : (
            <>
              <SessionFacts watched={all} session={session} />
              <Conversation ids={ids} session={session} />
            </>
          )
        }
      </QueryView>
    </PageFrame>
  );
}

function nameOf({ run, card }: WatchedRun, session: JourneySession) {
  const target = run.targets.find(({ targetId }) => targetId === session.targetId);
  const where = target === undefined ? 'Target' : targetName(target);
  const status = session.outcome ?? 'pending';
  const attempt = attemptOf(run, session);
  const errorCode = attempt?.errorCode ?? null;
  const begun = attempt?.begun ?? 1;
  return {
    name: `${where}, session ${session.sessionIndex + 1}`,
    ...sessionWords({ status, errorCode, begun }, session, card?.criteria ?? []),
  };
}

function attemptOf({ attempts }: WatchedRun['run'], session: JourneySession) {
  return attempts?.find(({ sessionId }) => sessionId === session.id);
}

function SessionFacts({ watched, session }: { watched: WatchedRun; session: JourneySession }) {
  const { run, card } = watched;
  const attempt = attemptOf(run, session);
  const doer = attempt && doerOfSessionEnd(attempt);
  const facts = [
    session.modelId,
    count(session.turnCount, 'turn'),
    count(session.toolCallCount, 'call'),
    `${count(session.toolErrorCount, 'tool error')}`,
    ...(session.usage?.totalTokens === undefined
      ? []
      : [count(session.usage.totalTokens, 'token')]),
  ];
  return (
    <div className="trial-facts">
      <p className="hint">{facts.join(' · ')}</p>
      <p className="why">
        {session.endReason !== null && `${endWords[session.endReason]} `}
        {attempt?.errorMessage}
        {doer !== undefined && ` ${doingSentence(doer)}`}
        {` ${playersSentence(run)}`}
      </p>
      {session.chain !== null && (
        <>
          <StageStrip stages={session.chain.stageResults} status={session.outcome ?? 'running'} />
          <StageLegend />
        </>
      )}
      {session.advice !== null && (
        <p className="next">
          <b>Advice:</b> {session.advice}
        </p>
      )}
      {session.nextAction !== null && (
        <p className="next">
          <b>Next:</b> {session.nextAction}
        </p>
      )}
      {session.criteria.length > 0 && (
        <SessionCriteria grades={session.criteria} criteria={card?.criteria ?? []} />
      )}
      {session.goalScore !== null && <SessionJudge goalScore={session.goalScore} />}
    </div>
  );
}

function Conversation({ ids, session }: { ids: RunIds; session: JourneySession }) {
  const isLive = session.outcome === 'running' || session.outcome === 'pending';
  const trace = useSessionTrace(ids, session.id, isLive);
  const isWithout =
    trace.error instanceof ApiError && trace.error.details['reason'] === 'TRACE_NOT_AVAILABLE';
  if (isWithout) {
    return (
      <p className="panel">
        {isLive ? 'Nothing has been said yet.' : 'Nothing was said before it ended.'}
      </p>
    );
  }
  return (
    <QueryView query={trace}>
      {(found) => <TraceView trace={found} stages={session.chain?.stageResults ?? []} />}
    </QueryView>
  );
}

function MakeCaseOfSession({ ids, sessionId }: { ids: RunIds; sessionId: string }) {
  const [expectCalls, setExpectCalls] = useState(false);
  return (
    <MakeCase
      projectId={ids.projectId}
      title="Make it an eval case"
      source={{
        makeIn: (suiteId) =>
          client.createEvalCaseFromSession({ ...ids, sessionId, body: { suiteId, expectCalls } }),
      }}
      intro="What the user said becomes its prompts, and every check of the journey one of its checks."
    >
      <Checkbox
        label="Expect the calls that succeeded"
        hint="With the arguments they had."
        checked={expectCalls}
        onChange={setExpectCalls}
      />
    </MakeCase>
  );
}
