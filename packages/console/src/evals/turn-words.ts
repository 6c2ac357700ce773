/**
 * What is said of the calls of a turn. A turn knows only whether the calls it states were made; the stages above it know
 * the rest. So where they say that choosing or calling failed, or that no usable result came, the turn never says that
 * its calls are as expected, and where it states no call it says nothing.
 */
import type { StageResultRow } from '@proofmark/domain';
import type { TraceTurn } from './read-trace.ts';

export interface TurnWords {
  readonly text: string;
  readonly tone: 'pass' | 'fail' | 'none';
}

export function turnWords(
  turn: Pick<TraceTurn, 'passed' | 'expected'>,
  promptIndex: number,
  stages: readonly StageResultRow[],
): TurnWords | undefined {
  if (turn.passed === undefined) return undefined;
  if (!turn.passed) return { text: 'calls not as expected', tone: 'fail' };
  const failed = stages.find(({ stage, state }) => state === 'failed' && ofCalls.has(stage));
  if (failed === undefined || !mayBeOf(failed, promptIndex)) {
    return { text: 'calls as expected', tone: 'pass' };
  }
  if (turn.expected.length === 0) return undefined;
  const isWithoutResult = failed.reason === 'protocolError' || failed.stage === 'response';
  return {
    text: isWithoutResult ? 'called, without a usable result' : 'the calls it states were made',
    tone: 'none',
  };
}

const ofCalls: ReadonlySet<string> = new Set(['selection', 'call', 'response']);

/** A failure that names no turn may be of any. */
function mayBeOf({ evidence }: StageResultRow, promptIndex: number): boolean {
  const indexes = evidence?.promptIndexes ?? [];
  return indexes.length === 0 || indexes.includes(promptIndex);
}
