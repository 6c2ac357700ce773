import type { EvalRun } from '@proofmark/contract';
import { count, estimateParts, type RunEstimate } from '@proofmark/domain';
import type { EvalTrial } from '../data/eval-runs.ts';

export type ReplayForm = 'servers' | 'model' | 'grading';

export interface ReplayChoice {
  readonly form: ReplayForm;
  /** Whether a trial that diverges from its recording continues with live answers. */
  readonly goesOn: boolean;
  /** Model to use in place of the suite's models. Empty keeps them. */
  readonly model: string;
}

/** Kinds of replay, by what answers from the recording. */
export const replayForms = {
  servers: {
    label: 'The same conversations, against the servers as they are now',
    hint: 'No model is asked. It shows whether the servers still list the same tools and give the same answers.',
    model: 'recorded',
    servers: 'live',
  },
  model: {
    label: 'The model anew, against the recorded servers',
    hint: 'No server is asked. It shows how another model or prompt uses the same answers.',
    model: 'live',
    servers: 'recorded',
  },
  grading: {
    label: 'Only the grading anew',
    hint: 'Neither is asked. It shows how the current checks judge the same conversations.',
    model: 'recorded',
    servers: 'recorded',
  },
} as const;

export function replayBody(runId: string, { form, goesOn, model }: ReplayChoice) {
  const { model: modelSide, servers } = replayForms[form];
  const onDivergence = goesOn ? ('live' as const) : ('stop' as const);
  const other = form === 'model' ? model.trim() : '';
  return {
    replay: { runId, model: modelSide, servers, onDivergence },
    ...(other !== '' && { model: other }),
  };
}

export interface RecordedTrials {
  /** Number of loaded trials that have a recording. */
  readonly kept: number;
  readonly read: number;
  readonly isAll: boolean;
  /**
   * The reason why the run cannot be replayed. Undefined if it can be, or if not all trials are
   * loaded yet.
   */
  readonly why: string | undefined;
}

const whyNot = {
  off: 'the suite does not keep recordings of such trials',
  tooLarge: 'its trials were larger than a recording may be',
  expired: 'its recordings were removed by retention',
} as const;

export function recordedTrials(
  trials: readonly Pick<EvalTrial, 'recording'>[],
  isAll: boolean,
): RecordedTrials {
  const states = trials.map(({ recording }) => recording?.state);
  const kept = states.filter((state) => state === 'kept').length;
  const reasons = (['off', 'tooLarge', 'expired'] as const).filter((one) => states.includes(one));
  const because = reasons.length === 0 ? '' : `: ${reasons.map((one) => whyNot[one]).join('; ')}`;
  const why = `Nothing of this run is recorded${because}. Only a run whose trials were recorded can be replayed.`;
  return { kept, read: trials.length, isAll, why: isAll && kept === 0 ? why : undefined };
}

export interface ReplayCosts {
  readonly plays: string;
  readonly asks: string;
  readonly costs: readonly string[];
}

export function replayCosts(
  choice: ReplayChoice,
  { kept, read, isAll }: RecordedTrials,
  estimate: RunEstimate | undefined,
): ReplayCosts {
  const missing = read - kept;
  const rest =
    missing === 0 ? '' : ` ${count(missing, 'trial')} without a recording will not be graded.`;
  return {
    plays: isAll ? `${count(kept, 'recorded trial')}.${rest}` : 'As many trials as were recorded.',
    asks: asksWhom(choice),
    costs: estimate === undefined ? [] : estimateParts(estimate).costs,
  };
}

function asksWhom({ form, goesOn }: ReplayChoice): string {
  const otherwise = goesOn ? ', until a trial diverges' : '';
  return {
    servers: `the servers. No model${otherwise}.`,
    model: `the model. No server${otherwise}.`,
    grading: `nobody${otherwise}.`,
  }[form];
}

type Replay = NonNullable<EvalRun['replay']>;

const sideWords = { recorded: 'recorded', live: 'live' } as const;

export function replaySides({ model, servers, onDivergence }: Replay): string {
  const sides =
    model === 'recorded' && servers === 'recorded'
      ? 'model and servers recorded, graded anew'
      : `the model ${sideWords[model]}, the servers ${sideWords[servers]}`;
  return onDivergence === 'live' ? `${sides}; trials that diverge continue live` : sides;
}

export function replayOutcome({ trials, diverged, notRecorded, mostFrequent }: Replay): string[] {
  const went =
    diverged === 0
      ? trials === 0
        ? 'No trial was played from a recording so far.'
        : `No trial diverged: ${count(trials, 'trial')} played.`
      : `${diverged} of ${count(trials, 'trial')} diverged, which is no verdict.`;
  return [
    went,
    ...(notRecorded === 0
      ? []
      : [`${count(notRecorded, 'trial')} ${notRecorded === 1 ? 'was' : 'were'} not recorded.`]),
    ...(mostFrequent === null
      ? []
      : [`Most often, in ${count(mostFrequent.trials, 'trial')}: ${mostFrequent.message}`]),
  ];
}
