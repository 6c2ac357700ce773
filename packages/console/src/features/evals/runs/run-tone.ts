/**
 * Colors of results. Only a measured failure is red. A result without a verdict is amber if trials
 * ran, otherwise gray.
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
