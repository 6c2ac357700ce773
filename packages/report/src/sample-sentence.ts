/** The cases of which a run played only some rows: how many of how many, and with which seed. */
import { count, grouped, quote, type RowSample, type Sentence, say } from '@proofmark/domain';

/** The maximum number of cases to name; the others are counted. */
const toldSamples = 5;

export function sampleSentences(samples: readonly RowSample[] = []): Sentence[] {
  const [only, ...others] = samples;
  if (only === undefined) return [];
  if (others.length === 0) return [say`Sampled: ${sampleWords(only)}.`];
  const more = samples.length - toldSamples;
  return [
    ...samples
      .slice(0, toldSamples)
      .map((sample) => say`Sampled: ${quote(sample.title)}, ${sampleWords(sample)}.`),
    ...(more > 0 ? [say`Sampled: ${count(more, 'more case')}.`] : []),
  ];
}

export function sampleWords({ rows, of, seed }: RowSample): string {
  return `${grouped(rows)} of ${count(of, 'row')}, seed ${seed}`;
}
