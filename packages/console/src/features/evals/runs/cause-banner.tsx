import type { EvalRun } from '@proofmark/contract';
import type { SharedCause } from '@proofmark/report';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import { TrialCard } from './trial-card.tsx';

export function CauseBanner(props: {
  ids: RunIds;
  run: EvalRun;
  cause: SharedCause;
  trial: EvalTrial | undefined;
}) {
  return (
    <section className="cause" aria-label="One cause">
      <p className="cause-head">
        <b>{props.cause.sentence}.</b>
      </p>
      <TrialCard
        ids={props.ids}
        run={props.run}
        group={props.cause.group}
        trial={props.trial}
        search={{}}
      />
    </section>
  );
}
