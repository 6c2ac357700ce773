/**
 * Words about a turn's calls. The turn records only whether its expected calls were made; its
 * checks and stages may contradict that. "As expected" requires expected calls and no contradicting
 * check or stage. "Not as expected" requires a measured failure. Without expected calls there are
 * no words.
 */
import { asRecord, isAdvisory, type StageResultRow } from '@proofmark/domain';
import { type CallDifferences, noDifferences } from './call-differences.ts';
import { isCallCheck } from './read-checks.ts';

export interface DescribedTurn {
  readonly passed?: boolean;
  readonly expected: readonly unknown[];
  readonly checks?: readonly unknown[];
}

export interface TurnWords {
  readonly text: string;
  readonly tone: 'pass' | 'fail' | 'none';
}

export function turnWords(
  turn: DescribedTurn,
  promptIndex: number,
  stages: readonly StageResultRow[],
): TurnWords | undefined {
  if (turn.passed === undefined) return undefined;
  const failed = failedStage(promptIndex, stages);
  const states = turn.expected.length > 0;
  if (!turn.passed) {
    if (!isMeasured(failed, stages)) return undefined;
    const text = states ? 'calls not as expected' : 'calls that the case does not allow';
    return { text, tone: 'fail' };
  }
  if (!states) return undefined;
  const broken = brokenChecks(turn);
  if (broken.some(isOfCalls)) return { text: 'calls not as a check of it asks', tone: 'fail' };
  if (failed === undefined && broken.length === 0) {
    return { text: 'calls as expected', tone: 'pass' };
  }
  const isWithoutResult = failed?.reason === 'protocolError' || failed?.stage === 'response';
  return {
    text: isWithoutResult ? 'called, without a usable result' : 'the calls it states were made',
    tone: 'none',
  };
}

export function turnMarks(
  words: TurnWords | undefined,
  isPassed: boolean | undefined,
): CallDifferences {
  if (words?.tone !== 'fail') return noDifferences;
  return { missing: true, extra: isPassed === false };
}

/**
 * Whether the turn's record can show wrong calls. It cannot if no stage failed, or if the calls got
 * no usable response.
 */
function isMeasured(failed: StageResultRow | undefined, stages: readonly StageResultRow[]) {
  return stages.length === 0 || (failed !== undefined && failed.stage !== 'response');
}

const ofCalls: ReadonlySet<string> = new Set(['selection', 'call', 'response']);

function failedStage(
  promptIndex: number,
  stages: readonly StageResultRow[],
): StageResultRow | undefined {
  const failed = stages.find(({ stage, state }) => state === 'failed' && ofCalls.has(stage));
  return failed !== undefined && mayBeOf(failed, promptIndex) ? failed : undefined;
}

/** A failed stage whose evidence names no turn may belong to any turn. */
function mayBeOf({ evidence }: StageResultRow, promptIndex: number): boolean {
  const indexes = evidence?.promptIndexes ?? [];
  return indexes.length === 0 || indexes.includes(promptIndex);
}

function brokenChecks({ checks = [] }: DescribedTurn): Readonly<Record<string, unknown>>[] {
  return checks.flatMap((check) => {
    const result = asRecord(check);
    if (result?.['passed'] !== false || result['evaluatorError'] === true) return [];
    const predicate = asRecord(result['predicate']) ?? {};
    return isAdvisory(predicate) ? [] : [predicate];
  });
}

function isOfCalls({ type }: Readonly<Record<string, unknown>>): boolean {
  return typeof type === 'string' && isCallCheck(type);
}
