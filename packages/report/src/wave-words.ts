import {
  type ComparedCriterion,
  type ComparedWaves,
  chanceWords,
  count,
  grouped,
  type Incomparable,
  type IncomparableReason,
  mostComparedSessions,
  type SummaryVerdict,
  verdictWords,
  type WaveMining,
} from '@proofmark/domain';

/** `notEstablished` while a run is in progress or its grades are pending. */
export function waveVerdict(
  verdicts: readonly SummaryVerdict[],
  isTerminal: boolean,
): SummaryVerdict {
  if (!isTerminal || verdicts.every((one) => one === 'notEstablished')) return 'notEstablished';
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.every((one) => one === 'passed') ? 'passed' : 'inconclusive';
}

/** Example: "FAILED: 1 of 3 runs failed, 1 passed, 1 ended without a verdict." */
export function waveSentence(verdicts: readonly SummaryVerdict[], isTerminal: boolean): string {
  const verdict = waveVerdict(verdicts, isTerminal);
  if (!isTerminal) return `${verdictWords[verdict].toUpperCase()}: the wave has not ended.`;
  const counts = (['failed', 'passed', 'inconclusive', 'notEstablished'] as const)
    .map((one) => [verdicts.filter((other) => other === one).length, runEnds[one]] as const)
    .filter(([runs]) => runs > 0);
  const [[most, how] = [0, runEnds.notEstablished], ...rest] = counts;
  const others = rest.map(([runs, words]) => `, ${grouped(runs)} ${words}`).join('');
  return `${verdictWords[verdict].toUpperCase()}: ${grouped(most)} of ${count(verdicts.length, 'run')} ${how}${others}.`;
}

const runEnds: Readonly<Record<SummaryVerdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'ended inconclusive',
  notEstablished: 'ended without a verdict',
};

/** Returns the id of a wave if a person chose it; undefined if the id was generated. */
export function waveName(waveId: string): string | undefined {
  return /^wav_[A-Za-z0-9]{16,}$/.test(waveId) ? undefined : waveId;
}

export type ComparisonVerdict = 'worse' | 'notWorse' | 'notEstablished';

export interface ShownComparison extends Pick<ComparedWaves, 'rows'> {
  readonly notComparable: readonly Pick<Incomparable, 'decides'>[];
  readonly terminal: { readonly base: boolean; readonly current: boolean };
  readonly truncated?: true | undefined;
}

/**
 * Returns `worse` if a gating criterion got worse. Returns `notWorse` if none got worse and all
 * could be compared. Otherwise returns `notEstablished`.
 */
export function comparisonVerdict({
  rows: all,
  notComparable,
  terminal,
}: Pick<ShownComparison, 'rows' | 'notComparable' | 'terminal'>): ComparisonVerdict {
  if (!terminal.base || !terminal.current) return 'notEstablished';
  const rows = all.filter(decides);
  if (rows.some(({ corrected }) => corrected === 'regression')) return 'worse';
  if (notComparable.some((one) => one.decides)) return 'notEstablished';
  const isNotWorse =
    rows.length > 0 && rows.every(({ corrected }) => corrected === 'no_regression');
  return isNotWorse ? 'notWorse' : 'notEstablished';
}

/** Only gating criteria affect the verdict. Advisory criteria are only shown. */
function decides({ role }: ShownComparison['rows'][number]): boolean {
  return role === 'gating';
}

/** Example: "WORSE: 1 of 3 comparisons with monday got worse; 1 of 4 could not be decided." */
export function comparisonSentence(compared: ShownComparison, base: string): string {
  const { notComparable, truncated } = compared;
  const rows = compared.rows.filter(decides);
  const verdict = comparisonVerdict(compared);
  const worse = rows.filter(({ corrected }) => corrected === 'regression').length;
  const decidedCount = rows.filter(({ corrected }) => corrected !== 'insufficient_data').length;
  const worseText = `${grouped(worse)} of ${count(decidedCount, 'comparison')} with ${base} got worse, ${levelWords(compared.rows)}`;
  const undecidedCount = rows.length - decidedCount;
  const reason =
    whyNoComparison(compared, base) ??
    (undecidedCount === 0
      ? `${worseText}.`
      : `${worseText}; ${grouped(undecidedCount)} of ${grouped(rows.length)} could not be decided: too few distinct conversations.`);
  return [
    `${comparisonVerdictWords[verdict]}: ${reason}`,
    ...(notComparable.length > 0 && rows.length > 0
      ? [`${grouped(notComparable.length)} more could not be compared.`]
      : []),
    ...(truncated ? [truncatedSentence] : []),
  ].join(' ');
}

/** Advisory criteria are compared, too, so they count for the correction. */
function levelWords(rows: ComparedWaves['rows']): string {
  const corrected = correctedOver(rows);
  return corrected > 1
    ? `at 5 %, corrected over ${count(corrected, 'comparison')}`
    : 'by its 95 % interval';
}

/** Returns the number of comparisons that each outcome is corrected for. */
export function correctedOver(rows: readonly Pick<ComparedCriterion, 'holm'>[]): number {
  return rows.filter(({ holm }) => holm !== null).length;
}

/** Returns text such as "worse (p = 0.004, corrected over 12 comparisons)". */
export function outcomeWords(
  { corrected, holm }: Pick<ComparedCriterion, 'corrected' | 'holm'>,
  comparisons: number,
): string {
  const words = comparedWords[corrected];
  if (holm === null || comparisons < 2 || corrected === 'insufficient_data') return words;
  return `${words} (${chanceWords(holm)}, corrected over ${count(comparisons, 'comparison')})`;
}

const comparisonVerdictWords: Readonly<Record<ComparisonVerdict, string>> = {
  worse: 'WORSE',
  notWorse: 'NOT WORSE',
  notEstablished: 'NOT ESTABLISHED',
};

const truncatedSentence = `Of a wave with more than ${grouped(mostComparedSessions)} graded sessions only the newest were compared.`;

function whyNoComparison(
  { rows: all, terminal }: Pick<ShownComparison, 'rows' | 'terminal'>,
  base: string,
): string | undefined {
  if (!terminal.current) {
    return terminal.base ? 'the wave has not ended.' : `the wave and ${base} have not ended.`;
  }
  if (!terminal.base) return `${base} has not ended.`;
  const rows = all.filter(decides);
  if (all.length === 0) return `nothing can be compared with ${base}.`;
  if (rows.length === 0) return `no check that decides can be compared with ${base}.`;
  return rows.every(({ corrected }) => corrected === 'insufficient_data')
    ? `too few distinct conversations to compare with ${base}.`
    : undefined;
}

const comparedWords = {
  regression: 'worse',
  no_regression: 'not worse',
  insufficient_data: 'too few to compare',
} as const;

export const incomparableWords: Readonly<Record<IncomparableReason, string>> = {
  goal_changed: 'its goal was changed',
  persona_changed: 'its persona was changed, or somebody else played it',
  criterion_changed: 'the check was changed',
  missing: 'only one of the two waves has graded sessions of it',
};

export function miningSentence(wave: {
  readonly mining: WaveMining;
  readonly terminal: boolean;
}): string | undefined {
  return wave.terminal ? miningSentences[wave.mining] : undefined;
}

const miningSentences: Readonly<Record<WaveMining, string | undefined>> = {
  pending: 'The search for findings is in progress.',
  completed: undefined,
  failed: 'The search for findings failed; another run in this wave starts it again.',
};
