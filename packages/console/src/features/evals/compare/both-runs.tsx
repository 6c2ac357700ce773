/** The conversations of a case in two runs side by side, with the first difference named above. */
import { useState } from 'react';
import { type RunIds, useEvalTrace } from '../data/eval-runs.ts';
import type { RunComparison } from '../data/run-comparison.ts';
import { useEvalTrial } from '../data/run-trials.ts';
import { type ConversationTurn, readConversation } from '../trials/read-conversation.ts';
import { type FirstDifference, firstDifference } from './first-difference.ts';
import { TrialBeside } from './trial-beside.tsx';

type Side = RunComparison['cases'][number]['base'];

export function BothRuns(props: {
  projectId: string;
  compared: RunComparison;
  base: Side;
  compare: Side;
}) {
  const { projectId, compared, base, compare } = props;
  const { baseRun, compareRun } = compared;
  const [ofBase, setOfBase] = useState(base.representativeIterationId);
  const [ofCompare, setOfCompare] = useState(compare.representativeIterationId);
  const inBase = { projectId, runId: baseRun.id };
  const inCompare = { projectId, runId: compareRun.id };
  const sides = (difference: FirstDifference | undefined) => (
    <div className="both-runs">
      <TrialBeside
        ids={inBase}
        run={baseRun}
        side={base}
        chosen={ofBase}
        onChoose={setOfBase}
        marked={difference?.base}
      />
      <TrialBeside
        ids={inCompare}
        run={compareRun}
        side={compare}
        chosen={ofCompare}
        onChoose={setOfCompare}
        marked={difference?.compare}
      />
    </div>
  );
  if (ofBase === null || ofCompare === null) return sides(undefined);
  return (
    <Differing
      base={{ ids: inBase, trialId: ofBase, name: `run ${baseRun.runNumber}` }}
      compare={{ ids: inCompare, trialId: ofCompare, name: `run ${compareRun.runNumber}` }}
    >
      {sides}
    </Differing>
  );
}

interface OneTrial {
  readonly ids: RunIds;
  readonly trialId: string;
  readonly name: string;
}

function Differing(props: {
  base: OneTrial;
  compare: OneTrial;
  children: (difference: FirstDifference | undefined) => React.ReactNode;
}) {
  const base = useConversation(props.base);
  const compare = useConversation(props.compare);
  const isRead = base !== undefined && compare !== undefined;
  const difference = isRead ? firstDifference(base, compare) : undefined;
  const isSilent = base?.length === 0 && compare?.length === 0;
  return (
    <>
      {difference !== undefined && (
        <p className="first-difference">
          <b>First difference:</b> {`in ${props.base.name} `}
          <bdi>{difference.baseWords}</bdi>
          {`; in ${props.compare.name} `}
          <bdi>{difference.compareWords}</bdi>.
        </p>
      )}
      {isRead && !isSilent && difference === undefined && (
        <p className="hint">Both conversations say and call the same.</p>
      )}
      {props.children(difference)}
    </>
  );
}

function useConversation({ ids, trialId }: OneTrial): ConversationTurn[] | undefined {
  const { data: trial } = useEvalTrial(ids, trialId);
  const { data: trace } = useEvalTrace(ids, trialId, false);
  if (trial === undefined || trace === undefined) return undefined;
  const { messages, spans } = trace;
  return readConversation({ messages, spans, calls: trial.actualToolCalls });
}
