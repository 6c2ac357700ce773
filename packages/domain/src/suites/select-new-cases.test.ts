import { expect, test } from 'vitest';
import { type CaseCandidate, type DuplicatePolicy, selectNewCases } from './select-new-cases.ts';

const steps = [{ id: 'a', kind: 'prompt' as const, prompt: 'x' }];
const taken = { declaredIds: new Set(['old']), contentHashes: new Set(['known']) };

function candidate(index: number, contentHash: string, declaredId?: string): CaseCandidate {
  const definition = { title: `Case ${index}`, steps, ...(declaredId && { declaredId }) };
  return { index, contentHash, definition };
}

function outcome(policy: DuplicatePolicy, candidates: CaseCandidate[], overrideReason?: string) {
  const { admitted, refused } = selectNewCases(candidates, taken, { policy, overrideReason });
  return {
    admitted: admitted.map(({ index, isDuplicate }) => (isDuplicate ? `${index} again` : index)),
    refused: refused.map(({ index, code }) => `${index} ${code}`),
  };
}

test.each<[string, ReturnType<typeof outcome>, ReturnType<typeof outcome>]>([
  [
    'ids are taken once, also within the batch',
    outcome('warn', [candidate(0, 'x', 'old'), candidate(1, 'y', 'new'), candidate(2, 'z', 'new')]),
    { admitted: [1], refused: ['0 DUPLICATE_CASE_ID', '2 DUPLICATE_CASE_ID'] },
  ],
  [
    'block keeps known content out, also within the batch',
    outcome('block', [candidate(0, 'known'), candidate(1, 'x'), candidate(2, 'x')]),
    { admitted: [1], refused: ['0 DUPLICATE_CONTENT', '2 DUPLICATE_CONTENT'] },
  ],
  [
    'warn lets it in and says so',
    outcome('warn', [candidate(0, 'known'), candidate(1, 'x')]),
    { admitted: ['0 again', 1], refused: [] },
  ],
  [
    'create_anyway needs a reason, but only for what is there already',
    outcome('create_anyway', [candidate(0, 'known'), candidate(1, 'x')]),
    { admitted: [1], refused: ['0 OVERRIDE_REASON_REQUIRED'] },
  ],
  [
    'with a reason it lets it in',
    outcome('create_anyway', [candidate(0, 'known')], 'A control.'),
    { admitted: ['0 again'], refused: [] },
  ],
  [
    'what was refused takes nothing away from what follows',
    outcome('block', [candidate(0, 'known', 'new'), candidate(1, 'x', 'new')]),
    { admitted: [1], refused: ['0 DUPLICATE_CONTENT'] },
  ],
])('%s', (_title, found, expected) => {
  expect(found).toEqual(expected);
});
