/** Each symbol is recognisable by its shape alone and has an ASCII replacement. */
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

export function legend(ascii: boolean): string[] {
  return stageStates.map((state) => `${stateSymbol(state, ascii)} ${stateWords[state]}`);
}
