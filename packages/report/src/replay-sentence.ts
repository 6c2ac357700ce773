import {
  count,
  quote,
  type RunReplay,
  replayActions,
  type Sentence,
  say,
  theirs,
} from '@proofmark/domain';

export function replaySentences(replay: RunReplay | undefined): Sentence[] {
  if (replay === undefined) return [];
  const { runId, trials, diverged, notRecorded, mostFrequent, onDivergence } = replay;
  const ends = onDivergence === 'live' ? 'continued live' : 'ended there, which is no verdict';
  const quotedMessage = mostFrequent === null ? say`` : say` ${quote(mostFrequent.message)}`;
  const often = mostFrequent !== null && mostFrequent.trials < diverged ? ' Most often:' : '';
  return [
    say`Replayed from run ${theirs(runId)}, ${sidesOf(replay)}.`,
    ...(diverged === 0
      ? []
      : [
          say`${diverged} of ${count(trials, 'replayed trial')} diverged from the recording and ${ends}.${often}${quotedMessage}`,
        ]),
    ...(notRecorded === 0
      ? []
      : [
          say`${count(notRecorded, 'trial')} ${notRecorded === 1 ? 'was' : 'were'} not recorded, so there was nothing to replay for ${notRecorded === 1 ? 'it' : 'them'}.`,
        ]),
  ];
}

export function replayAction({ diverged }: Pick<RunReplay, 'diverged'>): Sentence {
  return [replayActions[diverged > 0 ? 'diverged' : 'notRecorded']];
}

function sidesOf({ model, servers }: RunReplay): string {
  if (model === servers) return 'with its recorded model and servers';
  return model === 'recorded'
    ? 'with its recorded model and the current servers'
    : 'with a current model and its recorded servers';
}
