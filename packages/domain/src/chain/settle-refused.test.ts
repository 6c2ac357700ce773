import { always } from '@proofmark/harness/any-evidence.ts';
import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import {
  allGood,
  down,
  nothingAuthored,
  rowOf,
  strip,
  toolSpan,
  turn,
} from './evidence.fixture.ts';
import { readChain } from './read-chain.ts';
import { stages } from './vocabulary.ts';

const blocked = 'notMeasured/blockedByPolicy';
const refused = { blockedByPolicy: true, status: 'failed', refusedAt: 'call' } as const;

describe('a trial of which a policy refused a call', () => {
  test('holds what was seen before the call, and nothing after it', () => {
    expect(strip(refused, allGood)).toEqual([
      ...Array(3).fill('passed/observed'),
      ...Array(3).fill(blocked),
    ]);
    expect(deriveChain({ ...allGood, ...refused })).not.toHaveProperty('failureCategory');
    expect(strip({ ...refused, authored: nothingAuthored }, allGood)).toEqual([
      ...Array(2).fill('passed/observed'),
      ...Array(4).fill('notApplicable/notAuthored'),
    ]);
  });

  test('keeps the call that showed a widget where the call of the widget was refused', () => {
    expect(strip({ ...refused, refusedAt: 'response' }, allGood)).toEqual([
      ...Array(4).fill('passed/observed'),
      ...Array(2).fill(blocked),
    ]);
  });

  test('says nothing of a choice that was not the expected one, or that is still open', () => {
    const missing = { turns: [turn({ missingCount: 1, passed: false })] };
    expect(rowOf('selection', { ...refused, ...missing }, allGood)).toBe(blocked);
    expect(rowOf('selection', { ...refused, isChoiceOpen: true }, allGood)).toBe(blocked);
    expect(rowOf('selection', { ...refused, turns: [] }, allGood)).toBe(blocked);
  });

  test('blames nobody, whatever else was seen', () => {
    const broken = { spans: [{ ...toolSpan, status: 'error' as const, mcpErrorCode: -32_603 }] };
    expect(strip({ ...refused, refusedAt: 'response', ...broken }, allGood)[3]).toBe(blocked);
    expect(strip({ ...refused, connect: down('theirs'), spans: [] }, allGood)[0]).toBe(blocked);
    always((evidence) => {
      for (const refusedAt of ['call', 'response'] as const) {
        const chain = deriveChain({ ...evidence, refusedAt });
        expect(chain).not.toHaveProperty('failureCategory');
        expect(readChain(chain).status).toBe('verified');
        for (const [index, { state }] of chain.stageResults.entries()) {
          expect(state).not.toBe('failed');
          if (index >= stages.indexOf(refusedAt)) expect(state).not.toBe('passed');
        }
      }
    });
  });
});
