/**
 * The colours of results: only a measured failure is red. Undecided results are amber if the run
 * was tried, grey if not.
 */
export type Tone = 'pass' | 'fail' | 'hold' | 'none';

export function verdictTone(verdict: string): Tone {
  return tones[verdict] ?? 'none';
}

const tones: Readonly<Record<string, Tone>> = {
  passed: 'pass',
  failed: 'fail',
  inconclusive: 'hold',
};
