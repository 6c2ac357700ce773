import type { OutputOf } from '@proofmark/contract';
import {
  comparisonSentence,
  comparisonVerdict,
  correctedOver,
  incomparableWords,
  outcomeWords,
} from '@proofmark/report';
import { exitCodes } from './exit-codes.ts';
import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type WaveComparison = OutputOf<'compareWaves'>;
type Row = WaveComparison['rows'][number];

/**
 * Exit codes as for `journey run --wait`: 1 only if the wave was measured as worse, 3 if there is
 * no result.
 */
export function comparisonExitCode(compared: WaveComparison): number {
  return verdictExitCodes[comparisonVerdict(compared)];
}

const verdictExitCodes = {
  worse: exitCodes.failed,
  notWorse: exitCodes.passed,
  notEstablished: exitCodes.other,
} as const;

/**
 * `names` maps ids of journeys and targets, and the `criterionKey` of each criterion, to display
 * names.
 */
export function comparisonLines(
  compared: WaveComparison,
  names: ReadonlyMap<string, string>,
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const { rows, notComparable, baseWaveId } = compared;
  const corrected = correctedOver(rows);
  const nameOf = (id: string) => names.get(id) ?? id;
  const journeys = [...new Set(rows.map(({ journeyId }) => journeyId))];
  return [
    ...wrap(comparisonSentence(compared, baseWaveId)),
    ...journeys.flatMap((journeyId) => [
      ...wrap(nameOf(journeyId)),
      ...rows
        .filter((row) => row.journeyId === journeyId)
        .flatMap((row) => wrap(rowSentence(row, corrected, names), '  ')),
    ]),
    ...notComparable.flatMap(({ journeyId, reason, criterionId }) => {
      const criterion =
        criterionId === undefined
          ? ''
          : `, ${names.get(criterionKey({ journeyId, criterionId })) ?? criterionId}`;
      return wrap(`Not compared: ${nameOf(journeyId)}${criterion}: ${incomparableWords[reason]}`);
    }),
  ];
}

function rowSentence(row: Row, corrected: number, names: ReadonlyMap<string, string>): string {
  const { targetId, criterionId, base, current, role } = row;
  const advisory = role === 'advisory' ? ', decides nothing' : '';
  const where = names.get(targetId) ?? targetId;
  const what = names.get(criterionKey(row)) ?? criterionId;
  const held = ({ passed, graded }: Row['base']) => `${passed} of ${graded}`;
  return `${what} in ${where}: held in ${held(current)}, before in ${held(base)}: ${outcomeWords(row, corrected)}${advisory}`;
}

export function criterionKey(of: Pick<Row, 'journeyId' | 'criterionId'>): string {
  return `${of.journeyId} ${of.criterionId}`;
}
