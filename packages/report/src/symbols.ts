/** A symbol for each state of a stage, distinct by shape, and its ASCII replacement. */
import { type StageState, stageStates, stateWords } from '@proofmark/domain';

export const stateSymbols: Readonly<Record<StageState, { symbol: string; ascii: string }>> = {
  passed: { symbol: '✓', ascii: 'P' },
  failed: { symbol: '✗', ascii: 'F' },
  notReached: { symbol: '○', ascii: '.' },
  notMeasured: { symbol: '–', ascii: '?' },
  notApplicable: { symbol: '·', ascii: '-' },
};

export function stateSymbol(state: StageState, ascii: boolean): string {
  return ascii ? stateSymbols[state].ascii : stateSymbols[state].symbol;
}

/** Returns the symbols with their words, one entry each. */
export function legend(ascii: boolean): string[] {
  return stageStates.map((state) => `${stateSymbol(state, ascii)} ${stateWords[state]}`);
}
