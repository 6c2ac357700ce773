/**
 * Colors of results. Only a measured failure is red. An undecided result is amber if the run was
 * tried, and gray if not.
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
