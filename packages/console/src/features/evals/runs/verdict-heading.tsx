import type { Sentence } from '@proofmark/domain';
import { type Tone, verdictTone } from './run-tone.ts';
import { splitVerdict, Words } from './words.tsx';

export function VerdictHeading(props: { sentence: Sentence; verdict: string; tone?: Tone }) {
  const { verdict, rest } = splitVerdict(props.sentence);
  return (
    <>
      <span className={`verdict-word tone-${props.tone ?? verdictTone(props.verdict)}`}>
        {verdict}
      </span>
      <Words sentence={rest} />
    </>
  );
}
