/** Turn by turn: what was asked, and the expected calls beside those that were made. */

import type { TraceTurn } from '@proofmark/domain';
import { type StageResultRow, type TurnWords, turnMarks, turnWords } from '@proofmark/domain';
import { ExpectedObserved } from '../run-page/expected-observed.tsx';
import { LongText } from '../server-page/long-text.tsx';

export function TraceTurns(props: {
  turns: readonly TraceTurn[];
  /** Of the trial, so that no turn says what they deny. */
  stages: readonly StageResultRow[];
}) {
  const { turns, stages } = props;
  return (
    <section aria-labelledby="turns">
      <h2 id="turns">Turns</h2>
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are known by their index.
        <Turn key={index} turn={turn} index={index} words={turnWords(turn, index, stages)} />
      ))}
    </section>
  );
}

function Turn(props: { turn: TraceTurn; index: number; words: TurnWords | undefined }) {
  const { turn, index, words } = props;
  return (
    <article className="panel turn">
      <h3>
        {`Turn ${index + 1}`}
        <TurnResult words={words} />
      </h3>
      {turn.prompt !== undefined && <LongText plain text={turn.prompt} />}
      <ExpectedObserved
        expected={turn.expected}
        observed={turn.actual}
        failure={turn.reason}
        marks={turnMarks(words, turn.passed)}
      />
    </article>
  );
}

function TurnResult({ words }: { words: TurnWords | undefined }) {
  if (words === undefined) return null;
  return <span className={`turn-result tone-${words.tone}`}>{words.text}</span>;
}
