import { assertionKind, assertionSchema, positiveCount } from './assertion-kind.ts';

export const turnCountUnder = assertionKind({
  stage: 'userValue',
  inTurn: 'never',
  schema: assertionSchema('turnCountUnder', { turns: positiveCount }),
  evaluate({ turns }, { turnCount }) {
    if (turnCount === undefined || !Number.isSafeInteger(turnCount) || turnCount < 0) {
      return { passed: false, reason: 'The turns were not counted.' };
    }
    return {
      passed: turnCount < turns,
      reason: `${turnCount} ${turnCount === 1 ? 'turn' : 'turns'}; the number must be below ${turns}.`,
    };
  },
});
