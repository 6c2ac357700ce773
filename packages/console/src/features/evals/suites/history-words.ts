/** Texts for results and rates, so that neither shape nor color is needed to understand them. */
import type { EvalSuiteHistory } from '@proofmark/contract';
import { type CaseMark, count, percent } from '@proofmark/domain';

type Run = EvalSuiteHistory['runs'][number];
type Mark = EvalSuiteHistory['cases'][number]['marks'][number];

export const markWords: Readonly<Record<CaseMark, string>> = {
  passed: 'passed',
  failed: 'failed',
  mixed: 'some passed, some failed',
  notMeasured: 'not measured',
};

export function markSentence(
  { mark, passed, failed }: Mark,
  runNumber: number | undefined,
): string {
  const graded = passed + failed;
  const of = graded === 0 ? '' : `, ${passed} of ${count(graded, 'graded trial')} passed`;
  return `Run ${runNumber ?? '?'}: ${markWords[mark]}${of}.`;
}

export function rateSentence({ runNumber, passed, failed, interval }: Run): string {
  const graded = passed + failed;
  if (interval === null) return `Run ${runNumber}: no trial passed or failed.`;
  const between = `${percent(interval.lower)} to ${percent(interval.upper)}`;
  return `Run ${runNumber}: ${percent(passed / graded)} passed (${passed} of ${count(graded, 'trial')}; 95 % interval ${between}).`;
}

export interface ChartPoint {
  readonly runId: string;
  readonly x: number;
  readonly y: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns points at equal horizontal distances, the oldest run on the left and 0 % at the bottom. A
 * single run is placed in the middle.
 */
export function chartPoints(runs: readonly Run[], width: number, height: number): ChartPoint[] {
  const step = width / Math.max(1, runs.length);
  return runs.map(({ runId, passed, failed, interval }, at) => {
    const rate = passed + failed === 0 ? 0 : passed / (passed + failed);
    const at0 = (share: number) => height - share * height;
    return {
      runId,
      x: step * (at + 0.5),
      y: at0(rate),
      top: at0(interval?.upper ?? rate),
      bottom: at0(interval?.lower ?? rate),
    };
  });
}
