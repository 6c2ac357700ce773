/**
 * The effect of an overlay in the words of the CLI: the difference of the pass rates with its
 * interval, and the stages where trials stop.
 */
import { whatIfSentence, whatIfStages } from '@proofmark/domain';
import { isGoingOn, type RunComparison } from '../data/run-comparison.ts';
import { useWhatIf } from '../data/what-if.ts';
import { keepPercent } from '../runs/words.tsx';

export function WhatIfLine(props: { projectId: string; compared: RunComparison }) {
  const { baseRun, compareRun } = props.compared;
  const isWhatIf = compareRun.overlayHash !== undefined && baseRun.overlayHash === undefined;
  const isWanted = isWhatIf && !isGoingOn(props.compared);
  const { data } = useWhatIf(props.projectId, baseRun.id, compareRun.id, isWanted);
  if (!isWanted || data === undefined) return null;
  return (
    <p className="about-run" data-what-if>
      {keepPercent([whatIfSentence(data), ...whatIfStages(data)].join(' '))}
    </p>
  );
}
