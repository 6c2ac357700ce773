import { ApiError } from '@proofmark/client';
import { readChain, readTraceTurns } from '@proofmark/domain';
import { readChecks, toldStatus, trialEndWords } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { LongText } from '../../../kit/contents/long-text.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { type EvalTrace, type EvalTrial, type RunIds, useEvalTrace } from '../data/eval-runs.ts';
import type { RunComparison } from '../data/run-comparison.ts';
import { useEvalTrial } from '../data/run-trials.ts';
import { verdictTone } from '../runs/run-tone.ts';
import { StageStrip } from '../runs/stage-strip.tsx';
import { Turns } from '../trials/conversation.tsx';
import { readConversation } from '../trials/read-conversation.ts';
import { evidenceToShow } from '../trials/stage-evidence.ts';
import type { EntryPlace } from './first-difference.ts';

export function TrialBeside(props: {
  ids: RunIds;
  run: RunComparison['baseRun'];
  side: RunComparison['cases'][number]['base'];
  chosen: string | null;
  onChoose: (trialId: string) => void;
  /** The first entry that differs from the other run. */
  marked: EntryPlace | undefined;
}) {
  const { ids, run, side, chosen } = props;
  // `iterationIds` may be cut and may lack the representative trial, so the chosen trial is added.
  const all = [...new Set([...side.iterationIds, ...(chosen === null ? [] : [chosen])])];
  return (
    <section aria-label={`In run ${run.runNumber}`} className="beside-side">
      <div className="beside-head">
        <h4>{`Run ${run.runNumber}`}</h4>
        {all.length > 1 && (
          <label>
            Trial
            <select
              value={chosen ?? ''}
              onChange={({ target }) => props.onChoose(target.value)}
              aria-label={`Trial of run ${run.runNumber}`}
            >
              {all.map((id, index) => (
                <option key={id} value={id}>
                  {`${index + 1} of ${all.length}`}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {chosen === null ? (
        <p className="hint">This run has no trial of the case.</p>
      ) : (
        <OneTrial key={chosen} ids={ids} trialId={chosen} marked={props.marked} />
      )}
    </section>
  );
}

function OneTrial(props: { ids: RunIds; trialId: string; marked: EntryPlace | undefined }) {
  const { ids, trialId } = props;
  const trial = useEvalTrial(ids, trialId);
  const trace = useEvalTrace(ids, trialId, false);
  const isWithout =
    trace.error instanceof ApiError && trace.error.details['reason'] === 'TRACE_NOT_AVAILABLE';
  return (
    <QueryView query={trial}>
      {(found) => (
        <>
          <TrialHead ids={ids} trial={found} />
          {isWithout ? (
            <p className="hint">This trial came without a trace.</p>
          ) : (
            <QueryView query={trace}>
              {(read) => (
                <TrialConversation ids={ids} trial={found} trace={read} marked={props.marked} />
              )}
            </QueryView>
          )}
        </>
      )}
    </QueryView>
  );
}

function TrialHead({ ids, trial }: { ids: RunIds; trial: EvalTrial }) {
  const chain = readChain({
    ...(trial.stageResults !== undefined && { stageResults: trial.stageResults }),
    ...(trial.firstFailedStage !== undefined && { firstFailedStage: trial.firstFailedStage }),
    ...(trial.failureCategory !== undefined && { failureCategory: trial.failureCategory }),
    ...(trial.stageAnalyzerVersion !== undefined && {
      stageAnalyzerVersion: trial.stageAnalyzerVersion,
    }),
  });
  const { result, iterationNumber, error } = trial;
  return (
    <>
      <p className="beside-trial">
        <b className={`tone-${verdictTone(result ?? '')}`}>
          {`Trial ${iterationNumber} ${trialEndWords(trial)}`}
        </b>{' '}
        <Link
          to="/projects/$projectId/runs/$runId/trials/$trialId"
          params={{ ...ids, trialId: trial.id }}
        >
          Open the whole trace
        </Link>
      </p>
      {chain.status === 'verified' && (
        <StageStrip stages={chain.stages} status={toldStatus(trial)} />
      )}
      {error != null && <LongText plain text={error} />}
    </>
  );
}

function TrialConversation(props: {
  ids: RunIds;
  trial: EvalTrial;
  trace: EvalTrace;
  marked: EntryPlace | undefined;
}) {
  const { ids, trial, trace } = props;
  const stages = trial.stageResults ?? [];
  const turns = readConversation({
    messages: trace.messages,
    spans: trace.spans,
    calls: trial.actualToolCalls,
  });
  const traceTurns = readTraceTurns(trace.prompts);
  const checks = readChecks(trial);
  if (turns.length + traceTurns.length + checks.length === 0) {
    return <p className="hint">Nothing was said in this trial.</p>;
  }
  return (
    <Turns
      turns={turns}
      traceTurns={traceTurns}
      stages={stages}
      checks={checks}
      projectId={undefined}
      evidence={evidenceToShow(stages, '')}
      isShownAbove={false}
      marked={props.marked}
      trialPath={`/projects/${ids.projectId}/runs/${ids.runId}/trials/${trial.id}`}
    />
  );
}
