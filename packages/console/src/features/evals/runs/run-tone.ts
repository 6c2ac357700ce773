/** Only a measured failure is red. What was not decided is amber where it was tried, grey where it was not. */
export type Tone = 'pass' | 'fail' | 'hold' | 'none';

export function verdictTone(verdict: string): Tone {
  return tones[verdict] ?? 'none';
}

const tones: Readonly<Record<string, Tone>> = {
  passed: 'pass',
  failed: 'fail',
  inconclusive: 'hold',
};
